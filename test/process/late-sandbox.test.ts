/** A process that starts without the sandbox's database serves production, and the sandbox once its database exists. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Receiver, startReceiver, until } from '../support/deliveries.ts';
import { uniqueEmail } from '../support/factories.ts';
import { parseMetrics } from '../support/metrics.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  run,
  startServer,
} from '../support/process.ts';
import { sandboxCaller } from '../support/sandbox-caller.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const sandboxName = `late_${randomUUID().replaceAll('-', '')}`;

let external: External;
let admin: pg.Client;
let receiver: Receiver;
/** The sandbox's database does not exist yet. */
let lateUrl: string;

beforeAll(async () => {
  external = await externalDatabases();
  receiver = await startReceiver();
  admin = new pg.Client({ connectionString: inject('serverUrl') });
  await admin.connect();
  const url = new URL(external.env.SANDBOX_DATABASE_URL);
  url.pathname = `/${sandboxName}`;
  lateUrl = url.href;
});

afterAll(async () => {
  await cleanUp();
  await receiver.close();
  await admin.query(`drop database if exists ${sandboxName} with (force)`);
  await admin.end();
});

describe('a start without the database of the sandbox', () => {
  let server: RunningServer;
  let token: string;

  beforeAll(async () => {
    server = await startServer({
      ...external.env,
      SANDBOX_DATABASE_URL: lateUrl,
      METRICS_PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    token = await getToken(`${server.url}/v1`, external.credentials);
  });

  const readiness = () => call('', 'GET', `${server.url}/readyz`);

  it('serves production, and reports the sandbox as unavailable', async () => {
    const lead = { name: 'Ada', email: uniqueEmail() };
    expect((await call(token, 'POST', `${server.url}/v1/leads`, lead)).status).toBe(201);
    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ok', sandbox: 'unavailable' } });
  });

  it('answers requests to the sandbox with 503 and Retry-After, also from a browser', async () => {
    const { status, headers, body } = await call(token, 'GET', `${server.url}/sandbox/v1/leads`);
    expect(status).toBe(503);
    expect(body).toEqual({
      code: 'unavailable',
      message: 'The sandbox database is not available yet. Try again shortly.',
      request_id: headers.get('X-Request-Id'),
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '2',
      'x-environment': 'sandbox',
      'access-control-allow-origin': '*',
    });
  });

  it('logs once why it waits', () => {
    expect(server.log().filter(({ msg }) => String(msg).startsWith('Waiting'))).toEqual([
      expect.objectContaining({
        environment: 'sandbox',
        msg: 'Waiting for the database.',
        reason: expect.stringContaining(sandboxName),
      }),
    ]);
  });

  it('shows the database as down in the metrics', async () => {
    const url = /metrics +(\S+)\n/.exec(server.output.stdout)?.[1] ?? '';
    const samples = parseMetrics(await (await fetch(url)).text());
    const up = samples.filter(({ name }) => name === 'lead_pipeline_database_up');
    expect(up.map(({ labels, value }) => [labels.environment, value])).toEqual(
      expect.arrayContaining([
        ['production', 1],
        ['sandbox', 0],
      ]),
    );
  });

  it('serves the sandbox soon after its database is created, and delivers its events', async () => {
    await admin.query(`create database ${sandboxName} template template0 encoding 'UTF8' locale 'C.UTF-8'`);
    await until(async () => (await readiness()).body.sandbox === 'ok', 30);
    const sandbox = await sandboxCaller(server, { ...external.env, SANDBOX_DATABASE_URL: lateUrl });
    expect((await sandbox('POST', '/webhooks', { url: receiver.url, event_types: ['*'] })).status).toBe(201);
    expect((await sandbox('POST', '/leads', { name: 'Ada', email: uniqueEmail() })).status).toBe(201);
    await until(() => receiver.received.some(({ event }) => event.type === 'lead.created'), 30);
    expect((await call(token, 'GET', `${server.url}/v1/leads`)).status).toBe(200);
  });

  it('stops as always', async () => {
    expect(await server.stop()).toBe(0);
  });
});

describe('while the database of the sandbox refuses connections', () => {
  it('a process retries about twice a second, and stops when told to', async () => {
    let attempts = 0;
    const refusing = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    });
    await once(refusing.listen(0, '127.0.0.1'), 'listening');
    const { port } = refusing.address() as AddressInfo;
    const url = `postgres://api@127.0.0.1:${port}/sandbox`;
    const server = await startServer({ ...external.env, SANDBOX_DATABASE_URL: url });
    const before = attempts;
    await until(() => attempts >= before + 2);
    const startedAt = performance.now();
    const first = attempts;
    await sleep(2_000);
    expect(attempts - first).toBeLessThanOrEqual((performance.now() - startedAt) / 500 + 1);
    expect((await call('', 'GET', `${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    refusing.close();
  });
});

describe('a worker without the database of the sandbox', () => {
  it('delivers for production', async () => {
    const env = { ...external.env, WEBHOOK_ALLOW_PRIVATE: 'true' };
    const api = await startServer({ ...env, ROLE: 'api' });
    const worker = run(process.execPath, ['src/server.ts'], {
      ...env,
      ROLE: 'worker',
      SANDBOX_DATABASE_URL: 'postgres://api@127.0.0.1:9/sandbox',
    });
    const token = await getToken(`${api.url}/v1`, external.credentials);
    const webhook = { url: receiver.url, event_types: ['contact.created'] };
    expect((await call(token, 'POST', `${api.url}/v1/webhooks`, webhook)).status).toBe(201);
    const contact = { name: 'Ada', email: uniqueEmail() };
    expect((await call(token, 'POST', `${api.url}/v1/contacts`, contact)).status).toBe(201);
    await until(() => receiver.received.some(({ event }) => event.type === 'contact.created'), 30);
    for (const { child, exited } of [worker, api]) {
      child.kill('SIGTERM');
      expect(await exited).toBe(0);
    }
  });
});
