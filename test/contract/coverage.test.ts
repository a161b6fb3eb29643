/** After a run, checks that some test has seen each documented response and each event. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../support/client.ts';
import { answerName, readSeen, unlistedCodes, unreached, unseenCodes } from '../support/coverage.ts';
import { run } from '../support/process.ts';
import { requestHead, sendRaw } from '../support/raw.ts';

/** Answers with the status or the error code in the query, which the contract doesn't document. */
const server = createServer((req, res) => {
  const [, wanted] = req.url?.split('?') ?? [];
  const body = Number(wanted) > 0 ? '' : JSON.stringify({ message: 'A code: "code":"x".', code: wanted });
  res.writeHead(Number(wanted) || 404, { 'Content-Length': body.length }).end(body);
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

it('names missing responses', () => {
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

it.each([
  ['code_of_supertest', () => new TestClient(`${origin}/v1`).get('/leads?code_of_supertest')],
  ['code_of_fetch', async () => (await fetch(`${origin}/v1/leads?code_of_fetch`)).text()],
  ['code_of_socket', () => sendRaw(origin, requestHead('GET', '/v1/leads?code_of_socket'))],
])('sees %s in the body of an error', async (code, ask) => {
  await ask();
  expect([...readSeen(tmpdir())]).toContain(`code listLeads ${code}`);
});

it('names the error codes that the contract lacks for an operation', () => {
  const known = ['duplicate_email', 'validation_failed', 'unavailable', 'rate_limited'];
  // Operations don't document 405, which is an answer of another path.
  const seen = [...known, 'method_not_allowed', 'code_of_fetch'].map((code) => `code createLead ${code}`);
  expect(unlistedCodes(new Set(seen))).toEqual([]);
  expect(unlistedCodes(new Set([...seen, 'code createLead duplicate_slug', 'GET /leads 200']))).toEqual([
    'code createLead duplicate_slug',
  ]);
});

it('names the listed error codes that no test has seen', () => {
  const seen = new Set(unseenCodes(new Set()));
  expect(unseenCodes(seen)).toEqual([]);
  expect(seen.delete('code createLead duplicate_email')).toBe(true);
  expect(unseenCodes(seen)).toEqual(['code createLead duplicate_email']);
});

it('combines the responses that all workers have seen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  writeFileSync(join(folder, 'contract-coverage-1'), 'GET /leads 200\nGET /leads 401\n');
  writeFileSync(join(folder, 'contract-coverage-2'), 'GET /leads 200\n');
  expect(readSeen(folder)).toEqual(new Set(['GET /leads 200', 'GET /leads 401']));
  rmSync(folder, { recursive: true });
});

describe('a run of two test files', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'coverage-run-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const reporter = JSON.stringify(resolve('test/coverage-reporter.ts'));
    const config = `import { CoverageReporter } from ${reporter};
      export default { test: { reporters: [new CoverageReporter()] } };`;
    writeFileSync(join(folder, 'vitest.config.mjs'), config);
    const test = `import { it } from 'vitest'; it('passes', () => {});`;
    for (const name of ['one', 'two']) writeFileSync(join(folder, `${name}.test.ts`), test);
    // All but one answer.
    const [, ...others] = unreached(new Set());
    writeFileSync(join(folder, 'contract-coverage-1'), others.join('\n'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  async function vitest(...args: string[]) {
    const program = resolve('node_modules/vitest/vitest.mjs');
    const { exited, output } = run(process.execPath, [program, 'run', '--root', folder, ...args], {
      TMPDIR: folder,
    });
    return { code: await exited, ...output };
  }

  it('fails and names the answer that no test has seen', async () => {
    const { code, stderr } = await vitest();
    expect(code).toBe(1);
    expect(stderr).toContain('No test has seen these answers and events of the contract:');
    expect(stderr).toContain(`\n  ${unreached(new Set())[0]}\n\n`);
  });

  it('fails and names the error code that the contract lacks, also for one of the files', async () => {
    const seen = join(folder, 'contract-coverage-2');
    writeFileSync(seen, 'code createLead duplicate_slug\n');
    const { code, stderr } = await vitest('one');
    rmSync(seen);
    expect(code).toBe(1);
    expect(stderr).toContain('lacks these error codes:\n  code createLead duplicate_slug\n');
  });

  it.each([
    ['one of the files', ['one']],
    ['tests by their name', ['-t', 'passes']],
  ])('does not ask when it was only for %s', async (_, args) => {
    expect(await vitest(...args)).toMatchObject({ code: 0, stderr: '' });
  });
});
