import { randomUUID } from 'node:crypto';
import { afterAll, expect, it, vi } from 'vitest';
import {
  call,
  cleanUp,
  credentialsOf,
  getToken,
  isAlive,
  postmaster,
  preparedDataDir,
  type RunningServer,
  startServer,
} from '../../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const dataDir = preparedDataDir();
const env = {
  DATA_DIR: dataDir,
  RATE_LIMIT_WRITE: '1000000',
  NODE_OPTIONS: '--import=./test/support/crash.ts',
};
let running: RunningServer | undefined;

/** The service that the previous test left running, or a new one. */
async function theService(): Promise<RunningServer> {
  if (running?.child.exitCode !== null || running.child.signalCode !== null) running = await startServer(env);
  return running;
}

/** Creates leads from ten concurrent clients until the server is gone. Returns the emails that got 201. */
async function createUntilItDies(
  { url, child }: RunningServer,
  kill: (created: number) => void,
): Promise<string[]> {
  const token = await getToken(`${url}/v1`, credentialsOf(dataDir).production);
  const created: string[] = [];
  const client = async () => {
    for (let attempt = 0; attempt < 2000 && child.signalCode === null; attempt += 1) {
      const email = `${randomUUID()}@example.com`;
      const answer = await call(token, 'POST', `${url}/v1/leads`, { name: 'Ada', email }).catch(() => null);
      if (answer?.status === 201) kill(created.push(email));
      if (answer === null || answer.status >= 500) return;
    }
  };
  await Promise.all(Array.from({ length: 10 }, client));
  return created;
}

/** How many leads have each of these emails. */
async function counts({ url }: RunningServer, emails: string[]): Promise<Set<number>> {
  const token = await getToken(`${url}/v1`, credentialsOf(dataDir).production);
  const found = new Map(emails.map((email) => [email, 0]));
  let next: unknown = '';
  while (next !== null) {
    const cursor = next === '' ? '' : `&cursor=${next}`;
    const { body } = await call(token, 'GET', `${url}/v1/leads?per_page=100${cursor}`);
    for (const { email } of body.data as { email: string }[]) {
      const count = found.get(email);
      if (count !== undefined) found.set(email, count + 1);
    }
    next = (body.meta as { next_cursor: string | null }).next_cursor;
  }
  return new Set(found.values());
}

it.each([
  ['the service', false],
  ['the service and its PostgreSQL', true],
])('kill -9 of %s during writes loses nothing that was answered 201', async (_, killPostgres) => {
  const server = await theService();
  const pid = postmaster(dataDir) ?? 0;
  const emails = await createUntilItDies(server, (created) => {
    if (created !== 60) return;
    if (killPostgres) process.kill(pid, 'SIGKILL');
    server.child.kill('SIGKILL');
  });
  expect(emails.length).toBeGreaterThanOrEqual(60);
  expect(await server.exited).toBeNull();
  expect(await counts(await theService(), emails)).toEqual(new Set([1]));
  expect(isAlive(pid)).toBe(false);
});

it('a bug in the program ends it with a log line, and leaves no PostgreSQL running', async () => {
  const server = await theService();
  server.child.kill('SIGUSR2');
  expect(await server.exited).toBe(1);
  // Lines that were being written at that moment may come after it.
  expect(server.log()).toContainEqual(
    expect.objectContaining({ level: 60, err: expect.objectContaining({ message: 'a mistake' }) }),
  );
  while (postmaster(dataDir) !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
});
