import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { TokenClaims, TokenOwner } from '../context.ts';
import { Problem } from '../problem.ts';
import type { SigningKeys } from './signing-keys.ts';

const ALGORITHM = 'EdDSA';
const TYPE = 'at+jwt';

/**
 * Signs an access token (RFC 9068). `issuer` is the environment's base URL and the only audience; `lifetime` is in seconds,
 * at most TOKEN_LIFETIME.
 */
export async function signToken(
  keys: SigningKeys,
  issuer: string,
  { clientId, generation }: TokenOwner,
  scopes: readonly string[],
  lifetime: number,
): Promise<string> {
  const { id, privateKey } = await keys.current();
  // Read once: the second may change between two readings.
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: id })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(clientId)
    .setJti(`${generation}.${randomUUID()}`)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .sign(privateKey);
}

/** The client's token generation in which a token was issued. NaN if the id is not the service's. */
export function generationOf(jti: string): number {
  return Number(/^\d{1,9}(?=\.)/.exec(jti)?.[0] ?? Number.NaN);
}

/** Checks signature, issuer, audience, type and expiry. Throws token_invalid or token_expired. */
export async function verifyToken(keys: SigningKeys, issuer: string, token: string): Promise<TokenClaims> {
  const key = await keys.publicKey(keyId(token));
  if (key === undefined) throw invalidToken();
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer,
      audience: issuer,
      typ: TYPE,
      algorithms: [ALGORITHM],
      requiredClaims: ['sub', 'jti', 'exp', 'scope'],
    });
    return {
      clientId: String(payload.sub),
      scopes: String(payload.scope).split(' '),
      jti: String(payload.jti),
      expiresAt: new Date((payload.exp ?? 0) * 1000),
    };
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) {
      throw new Problem(
        'token_expired',
        'The access token has expired. Get a new one from POST /auth/token.',
      );
    }
    if (cause instanceof errors.JOSEError) throw invalidToken();
    throw cause;
  }
}

function keyId(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    throw invalidToken();
  }
}

function invalidToken(): Problem {
  return new Problem(
    'token_invalid',
    'The access token is not valid in this environment. Get one from POST /auth/token.',
  );
}
