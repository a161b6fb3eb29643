import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { programsOf, readPage } from '../support/markdown.ts';
import { cleanUp, newDataDir, type Run, run } from '../support/process.ts';

const [program = ''] = programsOf(readPage('docs/events.md'));
const cursorFile = join(newDataDir(), 'cursor');

/** The requests to a stand-in for a service that is busy, restarts, deletes old events, and whose tokens expire. */
const asked: string[] = [];
let tokens = 0;
const answers: ((req: IncomingMessage, res: ServerResponse) => void)[] = [];
const json =
  (body: object, status = 200) =>
  (_: IncomingMessage, res: ServerResponse) =>
    void res.writeHead(status, { 'Retry-After': '0' }).end(JSON.stringify(body));
const page = (next_cursor: string, ...names: string[]) =>
  json({
    data: names.map((name) => ({ type: 'lead.created', data: { object: { id: name }, changes: {} } })),
    meta: { next_cursor, has_more: true },
  });
const server = createServer((req, res) => {
  if (req.url === '/auth/token') {
    tokens += 1;
    // The follower renews tokens a minute early, so this one is too old for the next request.
    return json({ access_token: `token-${tokens}`, expires_in: 59 })(req, res);
  }
  asked.push(`${req.url} ${req.headers.authorization}`);
  const answer =
    answers.shift() ?? ((_, pending) => void pending.writeHead(503, { 'Retry-After': '1' }).end());
  answer(req, res);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  await cleanUp();
  server.closeAllConnections();
  server.close();
});

function follow(): Run {
  const { port } = server.address() as AddressInfo;
  const env = { API: `http://127.0.0.1:${port}`, CLIENT: 'id:secret', CURSOR: cursorFile };
  return run(process.execPath, ['--input-type=module', '-e', program], env);
}

const of = (after: string, token: number) =>
  `/events?per_page=500&cursor=${after}&wait=${after === 'latest' ? 0 : 30} Bearer token-${token}`;

describe('The follower of docs/events.md', () => {
  it('renews its token, and survives a busy service and a lost connection', async () => {
    writeFileSync(cursorFile, '');
    answers.push(
      page('c1'),
      json({}, 503),
      json({}, 429),
      (req) => void req.socket.destroy(),
      page('c2', 'lead_1'),
    );
    const { child, output, exited } = follow();
    await vi.waitFor(() => expect(output.stdout).toContain('lead.created lead_1'), 10_000);
    await vi.waitFor(() => expect(readFileSync(cursorFile, 'utf8')).toBe('c2'), 10_000);
    child.kill();
    await exited;
    expect(asked.slice(0, 5)).toEqual([of('latest', 1), ...[2, 3, 4, 5].map((token) => of('c1', token))]);
  });

  it('continues where it stopped', async () => {
    asked.length = 0;
    const before = tokens;
    answers.length = 0;
    answers.push(page('c3', 'lead_2'));
    const { child, output, exited } = follow();
    await vi.waitFor(() => expect(output.stdout).toBe('lead.created lead_2 {}\n'), 10_000);
    child.kill();
    await exited;
    expect(asked[0]).toBe(of('c2', before + 1));
  });

  it('exits with the reason for an error that waiting does not fix', async () => {
    answers.length = 0;
    answers.push(json({ code: 'events_expired' }, 410));
    const { output, exited } = follow();
    expect(await exited).not.toBe(0);
    expect(output.stderr).toContain('410 {"code":"events_expired"}');
  });
});
