import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { newWebhookSecret } from '../../src/webhooks/secret.ts';
import { programsOf, readPage } from '../support/markdown.ts';
import { cleanUp, type Run, run } from '../support/process.ts';

afterAll(cleanUp);

const secret = newWebhookSecret();
let receiver: Run;
let url = '';

/** The receiver of docs/webhooks.md, with another port. */
beforeAll(async () => {
  const [program = ''] = programsOf(readPage('docs/webhooks.md'));
  const port = await freePort();
  const args = ['--input-type=module', '-e', program.replace('4000', String(port))];
  receiver = run(process.execPath, args, { SECRET: secret });
  url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => undefined))) {
    if (receiver.child.exitCode !== null) throw new Error(receiver.output.stderr);
    await sleep(20);
  }
});

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

describe('The receiver of docs/webhooks.md', () => {
  it('accepts requests that are signed with its secret, and processes each event once', async () => {
    expect([await send('event_1', secret), await send('event_1', secret)]).toEqual([204, 204]);
    expect(await send('event_2', secret)).toBe(204);
    await expect.poll(() => receiver.output.stdout).toContain('lead.created lead_of_event_2');
    expect(receiver.output.stdout.match(/lead_of_event_1/g)).toHaveLength(1);
  });

  it('rejects requests that are signed with another secret', async () => {
    expect(await send('event_3', `whsec_${randomBytes(32).toString('base64')}`)).toBe(401);
    expect(receiver.output.stdout).not.toContain('event_3');
  });
});
