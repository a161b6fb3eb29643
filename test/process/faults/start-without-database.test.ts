/** A process that starts while its database is away. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { until } from '../../support/deliveries.ts';
import { type Network, startNetwork } from '../../support/network.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type Run,
  run,
} from '../../support/process.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WAITING = 'Waiting for the database, for at most';

let external: External;
let network: Network;
let env: Record<string, string>;

beforeAll(async () => {
  external = await externalDatabases();
});

beforeEach(async () => {
  network = await startNetwork(inject('serverUrl'));
  env = {
    ...external.env,
    PORT: '0',
    DATABASE_URL: network.through(external.env.DATABASE_URL),
    DATABASE_WAIT_SECONDS: '30',
  };
  return () => network.close();
});

afterAll(cleanUp);

const start = (changes = {}): Run => run(process.execPath, ['src/server.ts'], { ...env, ...changes });

const origin = ({ output }: Run) => /docs +(\S+)\/docs\n/.exec(output.stdout)?.[1];

describe('a process that starts while its database', () => {
  it.each<[string, () => void, () => void]>([
    [
      'refuses connections',
      () => network.lead('postgres://127.0.0.1:9'),
      () => network.lead(inject('serverUrl')),
    ],
    ['does not answer', () => network.freezeNew(true), () => network.lead(inject('serverUrl'))],
  ])('%s waits, says so once, and serves when it is there', async (_what, leave, comeBack) => {
    leave();
    const server = start();
    await until(() => server.output.stderr.includes(WAITING));
    expect(origin(server)).toBeUndefined();
    network.freezeNew(false);
    comeBack();
    const url = await until(() => origin(server), 30);
    const token = await getToken(`${url}/v1`, external.credentials);
    expect((await call(token, 'GET', `${url}/v1/leads`)).status).toBe(200);
    expect(server.output.stderr.split(WAITING)).toHaveLength(2);
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  });

  it('is away ends with one clear line after its time', async () => {
    network.lead('postgres://127.0.0.1:9');
    const startedAt = performance.now();
    const server = start({ DATABASE_WAIT_SECONDS: '2' });
    expect(await server.exited).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    const lines = server.output.stderr.trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      environment: 'production',
      msg: `${WAITING} 2 seconds.`,
      reason: expect.stringMatching(/^The (connection to the )?production database at /),
    });
    expect(lines.at(-1)).toMatch(
      /^The (connection to the \w+ database at \S+ was lost|\w+ database at \S+ can't be reached)/,
    );
  });

  it.each([
    ['is away', () => network.lead('postgres://127.0.0.1:9')],
    ['does not answer', () => network.freezeNew(true)],
  ])('%s stops when it is told to', async (_what, leave) => {
    leave();
    const server = start();
    await until(() => server.output.stderr.includes(WAITING));
    const toldAt = performance.now();
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(performance.now() - toldAt).toBeLessThan(5_000);
  });
});
