/** What clients leave unread is not kept: neither the memory of `npm start` nor the others' answers suffer from it. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  cleanUp,
  externalDatabases,
  getToken,
  memoryFlags,
  type RunningServer,
  recordLargeEvents,
  startEnv,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
let server: RunningServer;
let api: string;
let token: string;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  expect(memoryFlags).toHaveLength(2);
  expect(Object.keys(startEnv)).toContain('MALLOC_MMAP_THRESHOLD_');
  const unlimited = { RATE_LIMIT_READ: '1000000', RATE_LIMIT_WRITE: '1000000' };
  server = await startServer({ ...env, ...unlimited, ...startEnv }, memoryFlags);
  api = `${server.url}/v1`;
  token = await getToken(api, credentials);
  await recordLargeEvents(env.DATABASE_URL);
});

afterAll(cleanUp);

/** Of the service, in bytes. */
function resident(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

async function sizeOf(path: string): Promise<{ status: number; bytes: number; ms: number }> {
  const begin = performance.now();
  const response = await fetch(api + path, { headers: { Authorization: `Bearer ${token}` } });
  const { byteLength: bytes } = await response.arrayBuffer();
  return { status: response.status, bytes, ms: performance.now() - begin };
}

const path = '/events?limit=500&types=lead.created';

describe.concurrent('pages of 4 MiB', () => {
  it.each([
    ['forty clients', 40, 1],
    ['one that sends two hundred requests at once', 1, 200],
  ])('that nobody reads are not kept: %s', async (_, clients, requests) => {
    const unread = Array.from({ length: clients }, () => ask(path, requests));
    for (let round = 0; round < 20; round += 1) {
      expect((await sizeOf('/leads')).status).toBe(200);
      await sleep(250);
    }
    expect((await sizeOf(path)).bytes).toBeGreaterThan(3.9 * MiB);
    const kept = resident();
    console.info(`Resident with answers that nobody reads: ${Math.round(kept / MiB)} MiB`);
    expect(kept).toBeLessThanOrEqual(256 * MiB);
    for (const socket of unread) socket.destroy();
  });

  it('are cut from who takes nothing for 30 s, not from who reads slowly', async () => {
    const begin = performance.now();
    const idle = ask(path, 3);
    const cut = new Promise<number>((resolve) => {
      // A socket that is not read does not hear of its end.
      idle.once('close', () => resolve(performance.now() - begin)).once('error', () => undefined);
    });
    const slow = ask(path, 1);
    let taken = 0;
    while (taken < 4_000_000) {
      await sleep(1_000);
      taken += readSome(slow, 118_000);
      expect(slow.destroyed).toBe(false);
    }
    expect(performance.now() - begin).toBeGreaterThan(33_000);
    idle.resume();
    await cut;
    expect(idle.bytesRead).toBeLessThan(3 * 3.9 * MiB);
    slow.destroy();
  });
});

/** What has come, up to so many bytes. */
function readSome(socket: Socket, most: number): number {
  const chunk: Buffer | null = socket.read(Math.min(most, socket.readableLength)) ?? socket.read();
  return chunk?.length ?? 0;
}

/** Sends requests on one connection, and reads nothing. */
function ask(path: string, count: number): Socket {
  const { hostname, port } = new URL(api);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  const request = `GET /v1${path} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(request.repeat(count));
  return socket;
}
