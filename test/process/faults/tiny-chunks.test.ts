/** Bodies in chunks of one byte, with the memory that `npm start` gives to the service. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { uniqueEmail } from '../../support/factories.ts';
import {
  cleanUp,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
let server: RunningServer;
let token: string;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  server = await startServer({ ...env, ...unlimited });
  token = await getToken(`${server.url}/v1`, credentials);
});

afterAll(cleanUp);

function peakMemory(): number {
  return residentBytes(server.child.pid, 'peak');
}

/** Sends the body in chunks of one byte. Resolves with the status of the answer. */
async function post(path: string, body: Buffer, headers = ''): Promise<number> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const answer = once(socket, 'data');
  const common = `Host: ${hostname}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
  socket.write(`POST /v1${path} HTTP/1.1\r\n${common}${headers}\r\n`);
  for (let start = 0; start < body.length; start += 10_000) {
    const chunks = [...body.subarray(start, start + 10_000)].map((byte) =>
      Buffer.from([0x31, 13, 10, byte, 13, 10]),
    );
    if (!socket.write(Buffer.concat(chunks))) await once(socket, 'drain');
  }
  socket.write('0\r\n\r\n');
  const [data] = await answer;
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]);
}

const authorization = () => `Authorization: Bearer ${token}\r\n`;
const lead = (notes: number) => Buffer.from(`{"name":"Ada","email":"${uniqueEmail()}"${' '.repeat(notes)}}`);

it('arrive as they were sent', async () => {
  expect(await post('/leads', lead(10), authorization())).toBe(201);
  const packed = `${authorization()}Content-Encoding: gzip\r\n`;
  expect(await post('/leads', gzipSync(lead(100)), packed)).toBe(201);
  expect(await post('/leads', lead(300_000), authorization())).toBe(413);
  expect(await post('/leads', Buffer.from('{"name": "A'), authorization())).toBe(400);
});

it('take no more memory than others, also from those who have no credentials', async () => {
  const large = Buffer.from(`{"grant_type":"client_credentials"${' '.repeat(250_000)}}`);
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('/auth/token', large)));
  expect(answers).toEqual(Array(8).fill(422));
  const batch = Buffer.from(`{"items":[${lead(2_000_000)}]}`);
  expect(await post('/leads/batch/create', batch, authorization())).toBe(200);
  // A million chunks would take 400 MiB.
  expect(peakMemory()).toBeLessThan(350 * MiB);
});
