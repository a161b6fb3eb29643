import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { query } from '../../support/embedded.ts';
import {
  call,
  cleanUp,
  credentialsOf,
  externalDatabases,
  getToken,
  run,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { notMounted, SmallDisk } from '../../support/small-disk.ts';

vi.setConfig({ testTimeout: 120_000 });

let disk: SmallDisk | undefined;

afterEach(async () => {
  await cleanUp();
  disk?.unmount();
  disk = undefined;
});

/** Makes PostgreSQL need a new file for its write-ahead log. Without one, it crashes. */
async function crash(dataDir: string): Promise<void> {
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim();
  const [, , , port] = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  const url = `postgres://lead_pipeline:${password}@127.0.0.1:${port}/postgres`;
  for (;;) await query(url, `select pg_logical_emit_message(true, 'test', ''), pg_switch_wal()`);
}

describe('while the disk of the embedded server is full', () => {
  it('writes get 503, no lead that got 201 is lost, and the service recovers by itself', async (ctx) => {
    disk = SmallDisk.mount(160);
    if (disk === undefined) return ctx.skip(notMounted);
    const dataDir = join(disk.folder, 'data');
    const server = await startServer({ DATA_DIR: dataDir, ...unlimited });
    const api = `${server.url}/v1`;
    const token = await getToken(api, credentialsOf(dataDir).production);
    const created: string[] = [];
    const write = async () => {
      const title = randomBytes(10).toString('hex');
      const article = { title, slug: title, type: 'article', body: randomBytes(100_000).toString('base64') };
      const { status, headers, body } = await call(token, 'POST', `${api}/content`, article);
      if (status === 201) created.push((body.data as { id: string }).id);
      else {
        expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' });
        expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      }
      return status;
    };
    const read = async () => (await call(token, 'GET', `${api}/content?per_page=1`)).status;
    expect(await write()).toBe(201);
    disk.fill();
    // At first, PostgreSQL writes to the room that its files have.
    while ((await write()) === 201);
    expect(await read()).toBe(200);

    await expect(crash(dataDir)).rejects.toThrow();
    // It can't recover without room either, however often it tries.
    for (let n = 0; n < 8; n += 1) {
      expect(await write()).toBe(503);
      await sleep(500);
    }

    disk.makeRoom();
    await vi.waitFor(async () => expect(await write()).toBe(201), { timeout: 30_000, interval: 200 });
    for (const id of created) expect((await call(token, 'GET', `${api}/content/${id}`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

describe('while the disk of the log is full', () => {
  it('the service goes on, logs the missed lines once there is room, and can still stop if there is none', async (ctx) => {
    disk = SmallDisk.mount(1);
    if (disk === undefined) return ctx.skip(notMounted);
    const log = join(disk.folder, 'log');
    const { env } = await externalDatabases();
    const { child, output, exited } = run('sh', ['-c', `exec ${process.execPath} src/server.ts 2>> $LOG`], {
      ...env,
      ...unlimited,
      LOG: log,
      PORT: '0',
    });
    await vi.waitFor(() => expect(output.stdout).toMatch(/docs +\S+\/docs\n/), 20_000);
    const url = /docs +(\S+)\/docs\n/.exec(output.stdout)?.[1];
    const ask = async (id: string) =>
      (await fetch(`${url}/v1/auth/jwks`, { headers: { 'X-Request-Id': id } })).status;

    /** Gives the ids of the requests. */
    const askWhileFull = async (time: string): Promise<string[]> => {
      disk?.fill();
      const ids = Array.from({ length: 30 }, (_, n) => `while-full-${time}-${n}`);
      for (const id of ids) expect(await ask(id)).toBe(200);
      // Some tries to write them.
      await sleep(1_000);
      const last = `still-here-${time}`;
      expect(await ask(last)).toBe(200);
      return [...ids, last];
    };
    const ids = await askWhileFull('first');
    disk.makeRoom();
    const logged = () =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).request_id);
    await vi.waitFor(() => expect(logged()).toEqual(expect.arrayContaining(ids)), 5_000);
    await askWhileFull('second');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  it('lines that exceed the buffer are dropped, and the log says how many', async (ctx) => {
    disk = SmallDisk.mount(16);
    if (disk === undefined) return ctx.skip(notMounted);
    const log = join(disk.folder, 'log');
    const program = `
      import { createLogger } from './src/process/logger.ts';
      const logger = createLogger('info');
      process.stdin.once('data', () => {
        for (let n = 0; n < 8_000; n += 1) logger.info('x'.repeat(1_000));
        console.log('logged');
      });
      process.stdin.on('end', () => {});`;
    const command = 'exec "$0" --input-type=module --eval "$PROGRAM" 2>> "$LOG"';
    const { child, output } = run('sh', ['-c', command, process.execPath], { LOG: log, PROGRAM: program });
    disk.fill();
    child.stdin.write('go');
    await vi.waitFor(() => expect(output.stdout).toBe('logged\n'), 10_000);
    disk.makeRoom();
    const lines = () =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    await vi.waitFor(
      () => expect(lines().at(-1)).toMatchObject({ level: 40, lines: expect.any(Number) }),
      10_000,
    );
    expect(lines().length - 1 + lines().at(-1).lines).toBe(8_000);
  });
});
