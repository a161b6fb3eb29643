/** What the run looks for at its end: each documented answer, and each event, seen by some test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClient } from '../support/client.ts';
import { answerName, readSeen, unreached } from '../support/coverage.ts';
import { requestHead, sendRaw } from '../support/raw.ts';

/** Answers with the status in the query, which the contract has nowhere. */
const server = createServer((req, res) => {
  res.writeHead(Number(req.url?.split('?')[1]), { 'Content-Length': 0 }).end();
});
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

it('names what was not seen', () => {
  const seen = new Set(unreached(new Set()));
  expect(unreached(seen)).toEqual([]);
  for (const name of ['GET /leads 200', 'POST /hooks/{token} 401', 'webhook lead.created']) {
    expect(seen.delete(name)).toBe(true);
  }
  expect(unreached(seen)).toEqual(['GET /leads 200', 'POST /hooks/{token} 401', 'webhook lead.created']);
});

it.each([
  ['GET', '/v1/leads?page=2', 200, 'GET /leads 200'],
  ['GET', '/sandbox/v1/leads/lead_x/events', 404, 'GET /leads/{id}/events 404'],
  ['DELETE', '/v1/leads', 405, undefined],
  ['GET', '/v1/leads/', 404, undefined],
  ['GET', '/v10/leads', 404, undefined],
  ['GET', '/livez', 200, undefined],
])('takes %s %s %i for %s', (method, target, status, name) => {
  expect(answerName(method, target, status)).toBe(name);
});

it.each([
  [291, () => new TestClient(`${origin}/v1`).get('/leads?291')],
  [292, () => fetch(`${origin}/v1/leads?292`)],
  [293, () => sendRaw(origin, requestHead('GET', '/v1/leads?293'))],
])('sees %i, whoever asked', async (status, ask) => {
  await ask();
  expect([...readSeen(tmpdir())]).toContain(`GET /leads ${status}`);
});

it('adds up what the workers have seen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  writeFileSync(join(folder, 'contract-coverage-1'), 'GET /leads 200\nGET /leads 401\n');
  writeFileSync(join(folder, 'contract-coverage-2'), 'GET /leads 200\n');
  expect(readSeen(folder)).toEqual(new Set(['GET /leads 200', 'GET /leads 401']));
  rmSync(folder, { recursive: true });
});
