/** What the receivers of all languages promise. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { newWebhookSecret } from '../../src/webhooks/secret.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { startTestWorker } from '../support/deliveries.ts';
import { createLead } from '../support/factories.ts';
import { cleanUp, newDataDir, type Run } from '../support/process.ts';

let app: TestApp;
let client: TestClient;
let worker: ReturnType<typeof startTestWorker>;
let webhook: { id: string; secret: string };
let env: Record<string, string>;
let url: string;
let receiver: Run;

function inbox(): { webhook_id: string; event: string }[] {
  const db = new DatabaseSync(env.DATABASE ?? '');
  const rows = db.prepare('select webhook_id, event from inbox order by rowid').all();
  db.close();
  return rows as { webhook_id: string; event: string }[];
}

/** Sends a made-up event, signed with the secret. */
async function send(id: string, secret: string, { body = '{"type":"lead.created"}', at = new Date() } = {}) {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { headers, status: (await fetch(url, { method: 'POST', body, headers })).status };
}

/** What comes back until the connection ends. */
async function exchange(request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.write(request);
  await once(socket, 'data');
  socket.end();
  await once(socket, 'close');
  return answer;
}

/** Declares the tests of a receiver, which `start` runs with these environment variables. */
export function testReceiver(start: (env: Record<string, string>) => Run): void {
  vi.setConfig({ testTimeout: 60_000 });

  beforeAll(async () => {
    app = await startTestApp();
    client = await app.client();
    worker = startTestWorker(app);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    webhook = (await client.post('/webhooks', { url, event_types: ['*'] }).expect(201)).body.data;
    const database = join(newDataDir(), 'inbox.sqlite');
    env = { WEBHOOK_SECRET: webhook.secret, PORT: String(port), DATABASE: database };
    receiver = await listening();
  });

  afterAll(async () => {
    await worker.stop(1_000);
    await cleanUp();
    await app.close();
  });

  async function listening(): Promise<Run> {
    const run = start(env);
    await vi.waitFor(
      () => {
        if (run.child.exitCode !== null) throw new Error(run.output.stderr);
        expect(run.output.stdout).toContain('Listening');
      },
      { timeout: 30_000 },
    );
    return run;
  }

  it('stores the received bytes unchanged', async () => {
    const lead = await createLead(client, { name: 'Zoë \u{1F680}' });
    await vi.waitFor(() => expect(inbox()).toHaveLength(1), 30_000);
    const [one] = inbox();
    const { body } = await client.get(`/events/${one?.webhook_id}`).expect(200);
    expect(JSON.parse(one?.event ?? '')).toEqual(body.data);
    expect(body.data.data.object).toEqual(lead);
  });

  it('stores an event once, even across a restart', async () => {
    const before = inbox().length;
    expect((await send('event_1', webhook.secret)).status).toBe(204);
    expect((await send('event_1', webhook.secret)).status).toBe(204);
    receiver.child.kill('SIGKILL');
    await receiver.exited;
    receiver = await listening();
    expect((await send('event_1', webhook.secret)).status).toBe(204);
    expect(inbox()).toHaveLength(before + 1);
  });

  it('rejects forged, changed, old and unsigned requests', async () => {
    const before = inbox();
    expect((await send('event_2', newWebhookSecret())).status).toBe(401);
    const { headers } = await send('event_1', webhook.secret);
    const statuses = [
      await fetch(url, { method: 'POST', body: '{"type":"lead.deleted"}', headers }),
      await fetch(url, { method: 'POST', body: '{"type":"lead.created"}' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401]);
    const old = new Date(Date.now() - 3_600_000);
    expect((await send('event_3', webhook.secret, { at: old })).status).toBe(401);
    expect(inbox()).toEqual(before);
  });

  it('accepts only POST, and at most a megabyte', async () => {
    expect((await fetch(url)).status).toBe(405);
    const body = JSON.stringify('x'.repeat(2 ** 20));
    expect((await send('event_4', webhook.secret, { body })).status).toBe(413);
  });

  it.each([
    ['an invalid length', 'Content-Length: -1', 'x'],
    ['no length', 'Transfer-Encoding: chunked', '5\r\nGET /\r\n0\r\n\r\n'],
  ])('gives one answer to a request with %s', async (_, header, body) => {
    const answer = await exchange(`POST / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n${body}`);
    // An empty body may be a last chunk.
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d .+\r\n(?:\S+: .+\r\n)*\r\n(?:0\r\n\r\n)?$/);
  });

  it('ends on SIGTERM', async () => {
    receiver.child.kill('SIGTERM');
    expect(await receiver.exited).toBe(0);
  });
}
