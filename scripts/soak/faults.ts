/** What is done to the service while it works. Each resolves when the fault is over; the service must be well again soon. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Network } from '../../test/support/network.ts';
import { childrenOf, type Service } from './service.ts';
import type { Access, createClient } from './traffic.ts';

const root = join(import.meta.dirname, '../..');
const MIB = 2 ** 20;

export interface Rig {
  service: Service;
  access: Access;
  client: ReturnType<typeof createClient>;
  /** What the service was configured with. */
  env: NodeJS.ProcessEnv & { DATA_DIR: string };
}

export interface Fault {
  name: string;
  /** Whether requests may fail meanwhile. */
  disturbs: boolean;
  /** Throws when a promise of the service is broken. */
  inject(rig: Rig): Promise<void>;
}

/** A body of 130,000 characters, changed a hundred times, and then four of the largest pages of events at once. */
const largeEvents: Fault = {
  name: 'large events',
  disturbs: false,
  async inject({ client }) {
    const body = 'é'.repeat(65_000);
    const made = await client.send('POST', '/content', { title: 'Large', type: 'article', body });
    if (made?.status !== 201) throw new Error(`Content was answered ${made?.status}.`);
    const { id } = (made.body as { data: { id: string } }).data;
    for (let patch = 0; patch < 100; patch += 1) {
      await client.send('PATCH', `/content/${id}`, { body: `${patch} ${body}` });
    }
    const pages = Array.from({ length: 4 }, () => client.send('GET', '/events?limit=500'));
    for (const page of await Promise.all(pages)) {
      const bytes = JSON.stringify(page?.body).length;
      if (page?.status !== 200 || bytes > 5 * MIB)
        throw new Error(`A page of events: ${page?.status}, ${bytes} bytes.`);
    }
  },
};

/** Forty clients ask for large pages and read nothing of them. */
const unreadAnswers: Fault = {
  name: 'answers that nobody reads',
  disturbs: false,
  async inject({ access, service }) {
    const { host, hostname, port, pathname } = new URL(access.url);
    const token = await tokenOf(access);
    const request = `GET ${pathname}/events?limit=500 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const sockets: Socket[] = [];
    try {
      for (let number = 0; number < 40; number += 1) {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        socket.pause();
        socket.write(request.repeat(20));
        sockets.push(socket);
      }
      for (let second = 0; second < 35; second += 1) {
        await sleep(1_000);
        const memory = service.memory();
        if (memory > 256 * MIB)
          throw new Error(`${Math.round(memory / MIB)} MiB resident while nobody reads.`);
      }
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
};

/** A rotation of the signing keys, and forty clients that want a token right afterwards. */
const rotation: Fault = {
  name: 'forty tokens after a rotation',
  disturbs: false,
  async inject({ access, env }) {
    const rotate = ['src/cli.ts', 'signing-keys', 'rotate', '--environment', 'production', '--json'];
    await promisify(execFile)(process.execPath, rotate, { cwd: root, env: { ...process.env, ...env } });
    await Promise.all(Array.from({ length: 40 }, () => tokenOf(access)));
  },
};

const postmasterKilled: Fault = {
  name: 'kill -9 of the postmaster',
  disturbs: true,
  async inject({ env }) {
    process.kill(postmasterOf(env.DATA_DIR), 'SIGKILL');
  },
};

const postgresStopped: Fault = {
  name: 'PostgreSQL stopped for 40 s',
  disturbs: true,
  async inject({ env, service }) {
    const postmaster = postmasterOf(env.DATA_DIR);
    const stopped = [postmaster, ...childrenOf(postmaster)];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      await sleep(5_000);
      await isUnready(service);
      await sleep(35_000);
    } finally {
      for (const pid of stopped) tryKill(pid, 'SIGCONT');
    }
  },
};

const restart: Fault = {
  name: 'SIGTERM for npm, and a new start',
  disturbs: true,
  async inject({ service }) {
    checkStop(await service.stop('SIGTERM'));
    await service.start();
  },
};

const killed: Fault = {
  name: 'kill -9 of the service, and a new start',
  disturbs: true,
  async inject({ service }) {
    await service.kill();
    await service.start();
  },
};

/** For a service on its embedded server. */
export const embeddedFaults: readonly Fault[] = [
  largeEvents,
  unreadAnswers,
  rotation,
  postmasterKilled,
  postgresStopped,
  restart,
  killed,
];

/** For a service that reaches its database through a network of ours. */
export function networkFaults(network: Network): readonly Fault[] {
  return [
    {
      name: 'old connections swallow all',
      disturbs: true,
      async inject() {
        network.freeze();
      },
    },
    {
      name: 'the whole network swallows all for 30 s',
      disturbs: true,
      async inject({ service }) {
        network.freeze();
        network.freezeNew(true);
        await sleep(5_000);
        await isUnready(service);
        await sleep(25_000);
        network.freezeNew(false);
      },
    },
    {
      name: 'SIGTERM while the network swallows all',
      disturbs: true,
      async inject({ service }) {
        network.freeze();
        network.freezeNew(true);
        await sleep(2_000);
        checkStop(await service.stop('SIGTERM'));
        network.freezeNew(false);
        await service.start();
      },
    },
  ];
}

/** Throws unless /readyz says within two seconds that the service is not ready. */
async function isUnready({ url }: Service): Promise<void> {
  const began = performance.now();
  const { status } = await fetch(`${url}/readyz`);
  const took = Math.round(performance.now() - began);
  if (status !== 503 || took > 2_500) throw new Error(`/readyz answered ${status} after ${took} ms.`);
}

function checkStop(milliseconds: number): void {
  if (milliseconds > 12_500) throw new Error(`Stopping took ${(milliseconds / 1000).toFixed(1)} s.`);
}

async function tokenOf({ url, clientId, clientSecret }: Access): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`A request for a token was answered ${response.status}.`);
  return ((await response.json()) as { access_token: string }).access_token;
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
}

/** A backend may have ended meanwhile. */
function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
