/**
 * What a request costs at least: node:http and pg, prepared statements, the service's database with its counters and its
 * token check, the same JSON; but no validation, no Express, no Knex. Answers only what the bench asks.
 *
 *   node scripts/bench/yardstick.ts DATABASE_URL API_URL
 *
 * Takes the tokens of the service at API_URL. Prints {"url"} once it is listening.
 */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createCredentialCache } from '../../src/auth/credential-cache.ts';
import type { Principal } from '../../src/auth/principal.ts';
import { verifyToken } from '../../src/auth/tokens.ts';
import { openPool, type Row } from './yardstick/database.ts';
import { listEvents } from './yardstick/events.ts';
import { list } from './yardstick/lists.ts';
import { resources } from './yardstick/resources.ts';
import { create, patch, read } from './yardstick/rows.ts';
import { toUuid } from './yardstick/typeid.ts';

const [databaseUrl = '', issuer = ''] = process.argv.slice(2);
const pool = openPool(databaseUrl);
const cache = createCredentialCache();

const keys = {
  async publicKey(id: string) {
    const { rows } = await pool.query<Row>('select public_jwk from signing_keys where id = $1', [id]);
    return createPublicKey({ key: rows[0]?.public_jwk as JsonWebKey, format: 'jwk' });
  },
};

async function principalOf(token: string): Promise<Principal> {
  const claims = await verifyToken(keys as Parameters<typeof verifyToken>[0], issuer, token);
  const { clientId: publicId, scopes, expiresAt } = claims;
  const clientId = toUuid(publicId);
  return { clientId, hookId: null, publicId, clientName: '', scopes, credential: 'token', expiresAt };
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const token = (req.headers.authorization ?? '').slice('Bearer '.length);
  const { clientId } = await cache.remember(`t:${token}`, true, () => principalOf(token));
  const [path = '', query] = (req.url ?? '').split('?');
  const [, , name = '', id = ''] = path.split('/');
  const resource = resources.get(name);
  if (name === 'events') return send(res, 200, await listEvents(pool, new URLSearchParams(query)));
  if (resource === undefined) return send(res, 404, { message: 'not found' });
  if (req.method === 'POST') return send(res, 201, await create(pool, resource, clientId, await bodyOf(req)));
  if (req.method === 'PATCH')
    return send(res, 200, await patch(pool, resource, clientId, id, await bodyOf(req)));
  if (id !== '') return send(res, 200, await read(pool, resource, id));
  send(res, 200, await list(pool, resource, new URLSearchParams(query)));
}

async function bodyOf(req: IncomingMessage): Promise<Row> {
  return (await json(req)) as Row;
}

function send(res: ServerResponse, status: number, body: Row): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: Error) => send(res, 500, { message: error.message }));
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
