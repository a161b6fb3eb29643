import type { AttemptLimiter, Auth } from '../context.ts';
import type { Db } from '../db/db.ts';
import type { Listener } from '../db/pool/listener.ts';
import type { Environment } from '../environment.ts';
import { anonymous, type Principal } from '../principal.ts';
import { notFound, Problem } from '../problem.ts';
import { commonScopes } from '../scopes.ts';
import { toId, toUuid } from '../values/id.ts';
import { hashSecret, type SecretKey } from '../values/secrets.ts';
import { createCredentialCache } from './credential-cache.ts';
import { createKeyUses } from './key-uses.ts';
import {
  findApiKey,
  findHookByToken,
  findTokenState,
  isActiveUser,
  isApiKeyEnabled,
  type TokenState,
} from './queries.ts';
import { createSecretLookup } from './secret-lookup.ts';
import { createSigningKeys } from './signing-keys.ts';
import { generationOf, signToken, verifyToken } from './tokens.ts';

interface AuthOptions {
  db: Db;
  listener: Listener;
  secretKey: SecretKey;
  environment: Environment;
  /** Issuer and audience of the tokens. */
  baseUrl: string;
}

/** Authentication and tokens of one environment. */
export function createAuth({ db, listener, secretKey, environment, baseUrl }: AuthOptions): Auth {
  const keys = createSigningKeys(db, secretKey);
  const cache = createCredentialCache();
  const findBySecret = createSecretLookup(environment);
  const uses = createKeyUses(db);
  listener.on('auth_changed', (table) => {
    cache.clear();
    if (table === undefined || table === 'signing_keys') keys.reload();
  });

  async function principalOfToken(token: string): Promise<Principal> {
    const claims = await verifyToken(keys, baseUrl, token);
    const clientId = toUuid('client', claims.clientId);
    const state = clientId === undefined ? undefined : await findTokenState(db, clientId, claims.jti);
    if (clientId === undefined || state === undefined || isRevoked(state, claims.jti)) {
      throw tokenRevoked();
    }
    return {
      clientId,
      hookId: null,
      publicId: claims.clientId,
      clientName: state.name,
      userId: state.user_id,
      scopes: commonScopes(claims.scopes, state.scopes),
      limits: state.limits,
      key: null,
      credential: 'token',
      credentialId: claims.jti,
      expiresAt: claims.expiresAt,
    };
  }

  async function principalOfApiKey(apiKey: string, limitGuess: AttemptLimiter): Promise<Principal> {
    const row = await findBySecret('apiKey', apiKey, limitGuess, (hash) => findApiKey(db, hash));
    if (row === undefined) {
      throw new Problem('token_invalid', `The API key is not valid in the ${environment} environment.`);
    }
    if (row.revoked_at !== null || row.client_disabled_at !== null) {
      throw apiKeyRevoked();
    }
    if (row.expires_at !== null && Date.parse(row.expires_at) <= Date.now()) {
      throw new Problem('token_expired', 'The API key has expired. Ask your operator for a new one.');
    }
    return {
      clientId: row.client_id,
      hookId: null,
      publicId: toId('client', row.client_id),
      clientName: row.client_name,
      userId: row.client_user_id,
      scopes: commonScopes(row.scopes, row.client_scopes),
      limits: row.client_limits,
      key: { id: row.id, name: row.name, hint: row.hint },
      credential: 'api_key',
      credentialId: row.id,
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    };
  }

  /** Returns at once for a cached credential, unless notifications may have been missed. */
  function remember(credential: string, verify: () => Promise<Principal>): Principal | Promise<Principal> {
    if (listener.isLive()) return cache.remember(credential, true, verify);
    // One query for all credentials: one for each would add load to a busy database.
    return listener.catchUp().then((isCurrent) => cache.remember(credential, isCurrent, verify));
  }

  return {
    authenticate({ authorization, 'x-api-key': apiKey }, limitGuess) {
      const token = authorization === undefined ? undefined : bearerToken(authorization);
      const ofToken = () => remember(`t:${token}`, () => principalOfToken(token as string));
      // Some generated clients send one token for both schemes.
      if (typeof apiKey !== 'string' || apiKey === token) {
        if (token !== undefined) return ofToken();
        throw new Problem(
          'token_missing',
          'Send a token as "Authorization: Bearer <token>" (from POST /auth/token), or an API key as "X-API-Key".',
        );
      }
      const ofKey = () => {
        const found = remember(`k:${apiKey}`, () => principalOfApiKey(apiKey, limitGuess));
        return found instanceof Promise ? found.then(uses.note) : uses.note(found);
      };
      return token === undefined ? ofKey() : principalOfBoth(ofToken, ofKey);
    },
    async authenticateHook(token, limitGuess) {
      const hook = await findBySecret('hook', token, limitGuess, (hash) => findHookByToken(db, hash));
      if (hook?.status !== 'enabled') return undefined;
      return {
        ...anonymous,
        hookId: hook.id,
        publicId: toId('hook', hook.id),
        clientName: hook.name,
        credentialId: hashSecret(token).toString('base64'),
      };
    },
    isActiveUser: (id) => isActiveUser(db, id),
    revision: () => (listener.isLive() ? cache.generation() : undefined),
    async confirm({ credential, credentialId: id, key, clientId, hookId }, trx) {
      if (id === null) return;
      if (credential === 'token') {
        const state = clientId === null ? undefined : await findTokenState(trx, clientId, id);
        if (state === undefined || isRevoked(state, id)) throw tokenRevoked();
      }
      if (key !== null && !(await isApiKeyEnabled(trx, key.id))) throw apiKeyRevoked();
      if (hookId !== null) {
        const hook = await findHookByToken(trx, Buffer.from(id, 'base64'));
        if (hook?.id !== hookId || hook?.status !== 'enabled') throw notFound('The hook');
      }
    },
    issueToken: (owner, scopes, lifetime) => signToken(keys, baseUrl, owner, scopes, lifetime),
    async readToken(token) {
      return verifyToken(keys, baseUrl, token).catch((error: unknown) => {
        if (error instanceof Problem) return undefined;
        throw error;
      });
    },
    recordUses: uses.record,
    forget: cache.clear,
    cacheCounts: cache.counts,
    publicJwks: keys.publicJwks,
  };
}

/** The token acts, with its scopes. The key must be good too, and of the same client. */
async function principalOfBoth(
  ofToken: () => Principal | Promise<Principal>,
  ofKey: () => Principal | Promise<Principal>,
): Promise<Principal> {
  const principal = await ofToken();
  const { clientId, key } = await ofKey();
  if (clientId === principal.clientId) return { ...principal, key };
  throw new Problem(
    'token_invalid',
    'The token and the API key belong to different clients. Send only one of them, or two of the same client.',
  );
}

function isRevoked({ disabled, revoked, generation }: TokenState, jti: string): boolean {
  return disabled || revoked || generation !== generationOf(jti);
}

function tokenRevoked(): Problem {
  return new Problem('token_revoked', 'The access token was revoked or its API client is disabled.');
}

function apiKeyRevoked(): Problem {
  return new Problem('token_revoked', 'The API key was revoked or its API client is disabled.');
}

/** The token of an `Authorization: Bearer` header (RFC 6750 section 2.1). */
function bearerToken(authorization: string): string {
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw new Problem('token_invalid', 'The Authorization header must be "Bearer <token>".');
  }
  return token;
}
