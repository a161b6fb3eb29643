/** Files made to break the service, and clients that disconnect. The service's memory stays the same. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';
import { row, workbook } from '../../support/workbooks.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const MiB = 1024 * 1024;
/** As at all times, with what is still to be collected. */
const LIMIT = 512 * MiB;

/** A header of twenty columns, and an empty row. */
const header = `${Array.from({ length: 20 }, (_, index) => `c${index}`).join(',')}\n`;
const emptyRow = `${','.repeat(19)}\n`;

let external: External;
let server: RunningServer;
let token: string;
let db: pg.Client;

beforeAll(async () => {
  external = await externalDatabases();
  db = new pg.Client({ connectionString: external.env.DATABASE_URL });
  await db.connect();
  server = await startServer({ ...external.env, ROLE: 'api' });
  token = await getToken(`${server.url}/v1`, external.credentials);
});

afterAll(async () => {
  await db.end();
  await cleanUp();
});

async function chunks(): Promise<number> {
  return Number((await db.query('select count(*) from import_chunks')).rows[0].count);
}

function resident(): number {
  return residentBytes(server.child.pid);
}

function begin(headers: Record<string, string | number>): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const lines = Object.entries({
    Host: 'api.test',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'text/csv',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /v1/imports?resource=leads HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

/** Sends pieces in chunked encoding until all are sent or the answer has arrived. Returns the answer and the peak memory. */
async function send(head: string, piece: string, bytes: number) {
  const socket = begin({ 'Transfer-Encoding': 'chunked' });
  let answer = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      answer += data;
      if (answer.endsWith('}\n')) resolve();
    });
  });
  const write = async (text: string) => {
    const isTaken = socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    if (!isTaken) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), answered]);
  };
  let most = 0;
  if (head !== '') await write(head);
  for (let sent = 0; sent < bytes && answer === ''; sent += piece.length) {
    await write(piece);
    most = Math.max(most, resident());
  }
  socket.write('0\r\n\r\n');
  await answered;
  socket.destroy();
  const [headers = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), body: JSON.parse(body), most };
}

describe('a file', () => {
  it.each<[string, string, string, string]>([
    ['a quoted cell of two gigabytes', 'name,email\n"', 'x\n'.repeat(MiB / 2), 'rows.2'],
    ['two gigabytes of zeros', '', '\0'.repeat(MiB), 'rows.1'],
  ])('with %s gets an answer at once', async (_, head, piece, place) => {
    const { status, body, most } = await send(head, piece, 2 ** 31);
    expect([status, body.code]).toEqual([422, 'invalid_file']);
    expect(['file', place]).toContain(Object.keys(body.errors)[0]);
    expect(most).toBeLessThan(LIMIT);
    expect(await chunks()).toBe(0);
  });

  it.each<[string, string, string, number, string]>([
    // The line fails alone, so the service reads on until the file is too large.
    ['a line of two gigabytes', 'name,email\n', 'x'.repeat(MiB), 413, 'body_too_large'],
    ['more than two million empty lines', 'name,email\n', '\n'.repeat(MiB), 422, 'invalid_file'],
    ['more than two million rows of empty cells', header, emptyRow.repeat(50_000), 422, 'invalid_file'],
    ['more than a million rows', 'a\n', '1\n'.repeat(MiB / 2), 422, 'invalid_file'],
    [
      '200 MiB of long rows',
      'name,email\n',
      `${'x'.repeat(200_000)},${'y'.repeat(60_000)}\n`,
      413,
      'body_too_large',
    ],
  ])('of %s is refused', async (_, head, piece, status, code) => {
    const { body, most, ...answer } = await send(head, piece, 2 ** 31);
    expect([answer.status, body.code]).toEqual([status, code]);
    console.info(`${code}: at most ${Math.round(most / MiB)} MiB resident`);
    expect(most).toBeLessThan(LIMIT);
    await vi.waitFor(async () => expect(await chunks()).toBe(0), 10_000);
  });
});

/** So that the file may become large: a hundredth of that. */
const padding = (bytes: number) => ({ 'xl/media/image1.png': randomBytes(bytes) });
const sheets = { People: row(1, 'name', 'email') + row(2, 'Ada', 'ada@example.com') };

describe('a workbook', () => {
  it.each([
    [
      'needs too much memory',
      'with millions of texts',
      () =>
        workbook({
          sheets,
          sharedStrings: '<si><t>twelve chars</t></si>'.repeat(8_000_000),
          files: padding(4 * MiB),
        }),
    ],
    [
      'takes too long',
      'whose texts never end',
      () => workbook({ sheets, sharedStrings: '<x/>'.repeat(96 * MiB), files: padding(8 * MiB) }),
    ],
  ])('that %s, %s, is refused alone', async (message, _, make) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
    const sent = fetch(`${server.url}/v1/imports?resource=leads`, { method: 'POST', headers, body: make() });
    const times: number[] = [];
    let most = 0;
    let answer: Response | undefined;
    void sent.then((response) => {
      answer = response;
    });
    while (answer === undefined) {
      const start = performance.now();
      await call(token, 'GET', `${server.url}/v1/leads`);
      times.push(performance.now() - start);
      most = Math.max(most, resident());
      await sleep(20);
    }
    const body = (await answer.json()) as { code: string; message: string };
    expect([answer.status, body.code, body.message]).toEqual([
      422,
      'invalid_file',
      expect.stringContaining(message),
    ]);
    const [median = 0] = times.toSorted((a, b) => a - b).slice(times.length / 2);
    console.info(
      `${message}: ${Math.round(median)} ms for others, at most ${Math.round(most / MiB)} MiB resident`,
    );
    expect(median).toBeLessThan(100);
    expect(most).toBeLessThan(LIMIT);
  });
});

it('a client that disconnects in the middle leaves no rows behind', async () => {
  const socket = begin({ 'Content-Length': 10 * MiB });
  socket.write(`name,email\n${'Ada,ada@example.com\n'.repeat(60_000)}`);
  await vi.waitFor(async () => expect(await chunks()).toBeGreaterThan(0), 10_000);
  socket.destroy();
  await vi.waitFor(async () => expect(await chunks()).toBe(0), 10_000);
  expect(Number((await db.query('select count(*) from jobs')).rows[0].count)).toBe(0);
});
