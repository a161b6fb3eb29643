/**
 * Every operation with security in the contract gives the exact error for every invalid credential, and changes nothing.
 * The same request with a valid credential succeeds, so only the credential was wrong.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operations, scopes } from '../../generated/operations.ts';
import { basePaths, type Environment, environments } from '../../src/environment.ts';
import { covers } from '../../src/scopes.ts';
import { allScopes, PUBLIC_URL, startTestApp, type TestApp } from '../support/app.ts';
import { credentialsWith, type Refused, refusedCredentials } from '../support/credentials.ts';
import { type Endpoint, endpoints, readDocument } from '../support/document.ts';
import { bodyOf, pathOf, typeOf } from '../support/each-request.ts';

const all = endpoints(readDocument());
const secured = all.filter(({ security }) => security?.length !== 0);
const scoped = secured.filter((endpoint) => scopesOf(endpoint).length > 0);

let app: TestApp;
let refused: Record<Environment, Refused[]>;
let clients: Parameters<typeof pathOf>[1]['clients'];

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  clients = { production: await app.client(allScopes), sandbox: await app.client(allScopes, 'sandbox') };
  refused = {
    production: await refusedCredentials(app, 'production'),
    sandbox: await refusedCredentials(app, 'sandbox'),
  };
  for (const environment of environments) await app[environment].knex.raw(countWrites);
});

afterAll(() => app.close());

/** Every insert, update or delete advances a sequence, which a rollback doesn't reset. */
const countWrites = `
  create sequence writes;
  create function count_write() returns trigger language plpgsql as $$ begin perform nextval('writes'); return null; end $$;
  do $$ declare t regclass; begin
    for t in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
      execute format('create trigger count_write after insert or update or delete on %s execute function count_write()', t);
    end loop;
  end $$`;

async function writes(): Promise<number[]> {
  return Promise.all(
    environments.map(async (environment) => {
      const { rows } = await app[environment].knex.raw('select last_value, is_called from writes');
      return rows[0].is_called ? Number(rows[0].last_value) : 0;
    }),
  );
}

/** The part of a challenge that says where to get a token. */
const metadataOf = (endpoint: Endpoint) =>
  `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource${basePaths[environmentOf(endpoint)]}"`;

function environmentOf({ operationId }: Endpoint): Environment {
  const { environments } = operations[operationId as OperationId];
  return environments.includes('production' as never) ? 'production' : 'sandbox';
}

/** A request that succeeds with a valid credential. */
async function prepare(endpoint: Endpoint) {
  const environment = environmentOf(endpoint);
  const path = await pathOf(endpoint, { app, clients });
  const given = Object.keys(endpoint.bodies).length > 0 ? await bodyOf(endpoint, { app }) : undefined;
  const body = typeof given === 'object' ? JSON.stringify(given) : given;
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': typeOf(endpoint) };
  return async (headers: Record<string, string> = {}, query = '') => {
    const mark = path.includes('?') ? '&' : '?';
    const url = app.url + basePaths[environment] + path + (query && mark + query);
    const init = { method: endpoint.method.toUpperCase(), headers: { ...type, ...headers } };
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
}

type Sent = Awaited<ReturnType<Awaited<ReturnType<typeof prepare>>>>;

/** If several resources will do, those of leads, which the requests are about. */
function scopesOf({ operationId }: Endpoint): readonly string[] {
  const [needed = []] = operations[operationId as OperationId].scopes ?? [];
  return needed;
}

/** All scopes but the needed one, and but those that would do instead. */
function others({ operationId }: Endpoint, needed: string): string[] {
  const [, ...alternatives] = operations[operationId as OperationId].scopes ?? [];
  const [, access = ''] = needed.split(':');
  const siblings = [needed, ...alternatives.flat().filter((scope: string) => scope.endsWith(access))];
  return scopes.filter((scope) => !siblings.some((sibling) => covers([scope], sibling)));
}

const made = new Map<string, ReturnType<typeof credentialsWith>>();

/** Created once for all operations. */
function credentials(environment: Environment, granted: readonly string[]) {
  const key = `${environment} ${granted}`;
  const found = made.get(key) ?? credentialsWith(app, environment, granted);
  made.set(key, found);
  return found;
}

/** The whole answer. */
function told({ status, headers, text }: Sent) {
  const { code, request_id, required_scope } = JSON.parse(text);
  expect(request_id).toBe(headers.get('X-Request-Id'));
  expect(headers.get('Cache-Control')).toBe('no-store');
  return { status, code, required_scope, challenge: headers.get('WWW-Authenticate') };
}

it('the matrix has every operation but those that are meant for all', () => {
  const open = all.filter((endpoint) => !secured.includes(endpoint));
  expect(open.map(({ at }) => at).toSorted()).toEqual([
    'GET /auth/jwks',
    'GET /hooks/{token}',
    'POST /auth/revoke',
    'POST /auth/token',
    'POST /hooks/{token}',
  ]);
});

describe.each(secured.map((endpoint): [string, Endpoint] => [endpoint.at, endpoint]))('%s', (_, endpoint) => {
  const needed = scopesOf(endpoint);

  it('rejects every credential that is not valid here, and changes nothing', async () => {
    const send = await prepare(endpoint);
    const before = await writes();
    for (const { what, code, headers, query } of refused[environmentOf(endpoint)]) {
      const answer = await send(headers, query);
      const error = code === 'token_missing' ? '' : 'error="invalid_token", ';
      const challenge = `Bearer ${error}${metadataOf(endpoint)}`;
      expect({ what, ...told(answer) }).toEqual({ what, status: 401, code, challenge });
      expect(answer.headers.get('RateLimit')).toContain('"anonymous"');
    }
    expect(await writes()).toEqual(before);
  });

  it('accepts the same request with exactly the required scopes, by token and by API key', async () => {
    const any = ['analytics:read'];
    const enough = await credentials(environmentOf(endpoint), needed.length === 0 ? any : needed);
    for (const [what, headers] of Object.entries(enough)) {
      const send = await prepare(endpoint);
      const { status, text } = await send(headers);
      expect([what, status, status < 300 || text]).toEqual([what, status, true]);
    }
  });
});

describe.each(scoped.map((endpoint): [string, Endpoint] => [endpoint.at, endpoint]))('%s', (_, endpoint) => {
  it('rejects a client that lacks one required scope, and changes nothing', async () => {
    const send = await prepare(endpoint);
    for (const scope of scopesOf(endpoint)) {
      const tooLittle = await credentials(environmentOf(endpoint), others(endpoint, scope));
      const before = await writes();
      for (const [what, headers] of Object.entries(tooLittle)) {
        expect({ what, ...told(await send(headers)) }).toEqual({
          what,
          status: 403,
          code: 'insufficient_scope',
          required_scope: scope,
          challenge: `Bearer error="insufficient_scope", scope="${scope}", ${metadataOf(endpoint)}`,
        });
      }
      expect(await writes()).toEqual(before);
    }
  });
});
