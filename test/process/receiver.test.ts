import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newWebhookSecret } from '../../src/webhooks/secret.ts';

const secret = newWebhookSecret();
let receiver: ChildProcess;
let url = '';
let told = '';

/** The receiver as README.md has it, but for its port, which may be taken here. */
beforeAll(async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const codes = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  const code = codes.find((text) => text.includes('standardwebhooks')) ?? '';
  const source = code.replace('.listen(4000,', '.listen(0,').replace(/;\s*$/, '');
  const announced = `const server = ${source.slice(source.indexOf('createServer(async'))};
    server.on('listening', () => console.log('port', server.address().port));`;
  const imports = source.slice(0, source.indexOf('createServer(async'));
  receiver = spawn(process.execPath, ['--input-type=module', '-e', imports + announced], {
    env: { SECRET: secret },
    cwd: new URL('../..', import.meta.url),
  });
  receiver.stdout?.on('data', (chunk) => {
    told += chunk;
  });
  const port = await vi.waitFor(
    () => /port (\d+)/.exec(told)?.[1] ?? Promise.reject(new Error(told)),
    15_000,
  );
  url = `http://127.0.0.1:${port}`;
});

afterAll(() => void receiver.kill());

async function send(id: string, key: string): Promise<number> {
  const body = JSON.stringify({ id, type: 'lead.created', data: { object: { id: `lead_of_${id}` } } });
  const at = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, body),
  };
  const { status } = await fetch(url, { method: 'POST', body, headers });
  return status;
}

describe('The receiver of README.md', () => {
  it('takes what is signed with its secret, and does each event once', async () => {
    expect([await send('event_1', secret), await send('event_1', secret)]).toEqual([204, 204]);
    expect(await send('event_2', secret)).toBe(204);
    await vi.waitFor(() => expect(told).toContain('lead.created lead_of_event_2'));
    expect(told.match(/lead_of_event_1/g)).toHaveLength(1);
  });

  it('refuses what is signed with another one', async () => {
    expect(await send('event_3', `whsec_${randomBytes(32).toString('base64')}`)).toBe(401);
    expect(told).not.toContain('event_3');
  });
});
