/** A request that does not arrive completely has no effect, because its client gets no response. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operations } from '../../../generated/operations.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { requestHead, sendRaw } from '../../support/raw.ts';

const CHUNKED = { 'Transfer-Encoding': 'chunked' };
/** Each after the head of a request. */
const broken = {
  'a broken chunk in the first packet': 'zz\r\n',
  'a broken chunk after a whole one': '2\r\n{}\r\nzz\r\n',
};
const withoutBody = Object.entries<Operation>(operations).filter(
  ([, { consumes, scopes }]) => consumes.length === 0 && scopes !== null,
);

const withRequiredBody = Object.entries<Operation>(operations).filter(
  ([id, { bodyRequired, environments }]) =>
    bodyRequired &&
    environments.includes('production') &&
    !['createImport', 'receiveInboundDelivery'].includes(id),
);

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const head = (method: string, path: string, headers: Record<string, string> = CHUNKED) =>
  requestHead(method, `/v1${path}`, { ...client.headers, ...headers });

/** By then, a write that began earlier has ended, too. */
const writeMore = async () => {
  for (let count = 0; count < 3; count += 1) await createLead(client);
};

describe.each(Object.entries(broken))('%s', (_, body) => {
  it('leaves a secret as it is', async () => {
    const { client_id, client_secret } = await app.credentials();
    const headers = { ...CHUNKED, 'Content-Type': 'application/json' };
    const request = head('POST', `/clients/${client_id}/rotate-secret`, headers) + body;
    const answer = await sendRaw(app.url, request);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'invalid_request']);
    await writeMore();
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    await app.anonymous.post('/auth/token', grant).expect(200);
  });

  it('deletes nothing', async () => {
    const { id } = await createLead(client);
    expect((await sendRaw(app.url, head('DELETE', `/leads/${id}`) + body)).status).toBe(400);
    await writeMore();
    await client.get(`/leads/${id}`).expect(200);
  });
});

it.each(withRequiredBody)(
  '%s of a client that sends no body is a 400',
  async (_, { method, path, consumes }) => {
    const headers = { 'Content-Type': consumes[0] ?? '' };
    const answer = await sendRaw(
      app.url,
      head(method.toUpperCase(), path.replaceAll(/{\w+}/g, 'x'), headers),
    );
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'invalid_json']);
  },
);

describe('A request that arrives whole', () => {
  const write = (name: string) => {
    const body = JSON.stringify(leadInput({ name }));
    const size = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    return head('POST', '/leads', size) + body;
  };

  it('gets its own answer, whatever follows it', async () => {
    const answer = await sendRaw(app.url, `${write('Ada')}zz\r\n\r\n`);
    expect([answer.status, answer.headers.connection]).toEqual([201, 'close']);
    await client.get(`/leads/${JSON.parse(answer.body).data.id}`).expect(200);
  });

  it('gets it before that of a broken one behind it', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(`${write('Ada')}${write('Grace')}${head('DELETE', '/leads/x')}zz\r\n`);
    const statuses = [...(await text(socket)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses).toEqual(['201', '201', '400']);
  });
});

describe('An operation without a body', () => {
  it.each(withoutBody)('waits for the end of the request: %s', async (_, { method, path, environments }) => {
    const base = environments.includes('production') ? '' : '/sandbox';
    const own = base === '' ? client : await app.client(allScopes, 'sandbox');
    const target = `${base}/v1${path.replaceAll(/{\w+}/g, 'x')}`;
    const begun = requestHead(method.toUpperCase(), target, { ...own.headers, ...CHUNKED });
    // Whatever it would be answered otherwise, such as 404.
    expect((await sendRaw(app.url, `${begun}2\r\n{}\r\nzz\r\n`)).status).toBe(400);
  });

  it('takes a body that it does not need, of any size and encoding', async () => {
    const cases: Record<string, string>[] = [
      {},
      { 'Content-Encoding': 'br' },
      { 'Content-Type': 'text/html' },
    ];
    for (const headers of cases) {
      const { id } = await createLead(client);
      const size = { ...headers, 'Content-Length': '1000000' };
      const answer = await sendRaw(app.url, head('DELETE', `/leads/${id}`, size) + 'x'.repeat(1_000_000));
      expect(answer.status).toBe(204);
    }
    await client.get('/leads').type('json').send({ page: 2 }).expect(200);
  });

  it('deletes nothing for a client that has left before the end', async () => {
    const { id } = await createLead(client);
    const begun = head('DELETE', `/leads/${id}`, { 'Content-Length': '5' });
    const { status } = await sendRaw(app.url, `${begun}{}`, { end: true });
    expect(status).toBe(0);
    await writeMore();
    await client.get(`/leads/${id}`).expect(200);
  });
});
