/** Small files that unfold, and bytes that are no text. The service's memory stays the same, and other requests go on. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  newClient,
  type RunningServer,
  startServer,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';
import { row, workbook } from '../../support/workbooks.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const MiB = 1024 * 1024;
const LIMIT = 512 * MiB;
/** Milliseconds that another request may wait, on a machine that other tests share. Without them, it waits some 200. */
const MAX_WAIT = 4_000;

let external: External;
let server: RunningServer;
/** Of four clients, each of which may send a file at the same time. */
let tokens: string[];

beforeAll(async () => {
  external = await externalDatabases();
  server = await startServer({ ...external.env, ROLE: 'api' });
  const clients = await Promise.all([1, 2, 3, 4].map(() => newClient(external.env.DATABASE_URL ?? '')));
  tokens = await Promise.all(clients.map((client) => getToken(`${server.url}/v1`, client)));
});

afterAll(cleanUp);

async function upload(file: Buffer, token = tokens[0]) {
  const answer = await fetch(`${server.url}/v1/imports?resource=leads&start=false`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(file),
  });
  const { code, message } = (await answer.json()) as { code?: string; message?: string };
  return { status: answer.status, code, message };
}

/** What the service did meanwhile: its peak memory, and the longest that another request had to wait. */
async function meanwhile<Result>(work: () => Promise<Result>) {
  let isDone = false;
  let most = 0;
  let longest = 0;
  const watch = async () => {
    while (!isDone) {
      const startedAt = performance.now();
      await fetch(`${server.url}/livez`);
      longest = Math.max(longest, performance.now() - startedAt);
      most = Math.max(most, residentBytes(server.child.pid));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const startedAt = performance.now();
  const watching = watch();
  const result = await work().finally(() => {
    isDone = true;
  });
  await watching;
  const seconds = (performance.now() - startedAt) / 1_000;
  console.info(
    `${seconds.toFixed(1)} s, at most ${Math.round(most / MiB)} MiB resident, another request waited ${Math.round(longest)} ms`,
  );
  return { result, most, longest, seconds };
}

const header = row(1, 'name', 'email');
const tooLarge = /more than 100 times its size/;
const text = (index: number) => `<c t="s"><v>${index}</v></c>`;

describe('a workbook', () => {
  it('of 472 KiB with 480 MB of texts is refused, also four at a time', async () => {
    const count = 1_800;
    // From the last to the first, so that a cache would keep many of them.
    const rows = Array.from({ length: count }, (_, index) =>
      row(index + 2, { xml: text(count - 1 - index) }),
    );
    const sharedStrings = `<si><t>${'x'.repeat(250_000)}</t></si>`.repeat(count);
    const bomb = workbook({ sheets: { Leads: header + rows.join('') }, sharedStrings });
    expect(bomb.length).toBeLessThan(480 * 1024);
    const { result, most } = await meanwhile(() => Promise.all(tokens.map((token) => upload(bomb, token))));
    // Two files are read at the same time. The others wait for 3 s.
    for (const { status, message } of result)
      expect([status, message]).toEqual(
        status === 503
          ? [503, expect.stringContaining('Too many clients')]
          : [422, expect.stringContaining('too much memory')],
      );
    expect(result.filter(({ status }) => status === 422).length).toBeGreaterThan(1);
    expect(most).toBeLessThan(LIMIT);
  });

  it.each<[string, (number: number) => string]>([
    ['cells in the last of 16,384 columns', (at) => `<row r="${at}"><c r="XFD${at}"><v>1</v></c></row>`],
    ['texts of spaces', (at) => `<row r="${at}">${text(0)}</row>`],
  ])('with %s is refused before it becomes a gigabyte', async (_, xml) => {
    const rows = Array.from({ length: 60_000 }, (_each, index) => xml(index + 2)).join('');
    const top = header.replace('</row>', '<c r="XFD1" t="inlineStr"><is><t>last</t></is></c></row>');
    const sharedStrings = `<si><t>${' '.repeat(250_000)}</t></si>`;
    const bomb = workbook({ sheets: { Leads: top + rows }, sharedStrings });
    expect(bomb.length).toBeLessThan(300 * 1024);
    const { result, most, seconds } = await meanwhile(() => upload(bomb));
    expect(result).toMatchObject({ status: 422, message: expect.stringMatching(tooLarge) });
    expect(most).toBeLessThan(LIMIT);
    expect(seconds).toBeLessThan(20);
  });

  it('with 100,000 sheets is refused', async () => {
    const sheets = `<sheets>${'<sheet name="x" id="rId9"/>'.repeat(100_000)}</sheets>`;
    const files = { 'xl/workbook.xml': `<workbook>${sheets}</workbook>` };
    const { result, longest } = await meanwhile(() => upload(workbook({ sheets: { Leads: header }, files })));
    expect(result).toMatchObject({ status: 422, code: 'invalid_file' });
    expect(longest).toBeLessThan(MAX_WAIT);
  });
});

describe('16 MiB of bytes', () => {
  const repeated = (...bytes: number[]) => Buffer.alloc(16 * MiB, Buffer.from(bytes));
  const lines = repeated(0xff, 0x0a).subarray(0, MiB / 4);

  it.each<[string, Buffer]>([
    ['that are not UTF-8', repeated(0xff)],
    ['that are UTF-8 now and then', repeated(0xc3, 0xa9, 0xff)],
    ['on lines of their own', lines],
    ['in a compressed file', gzipSync(repeated(0xff))],
  ])('%s hold up no other request', async (_, bytes) => {
    const file = bytes[0] === 0x1f ? bytes : Buffer.concat([Buffer.from('name,email\n'), bytes]);
    const { result, most, longest, seconds } = await meanwhile(() => upload(file));
    expect([202, 422]).toContain(result.status);
    expect(most).toBeLessThan(LIMIT);
    expect(longest).toBeLessThan(MAX_WAIT);
    expect(seconds).toBeLessThan(15);
  });
});
