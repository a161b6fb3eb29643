/** Faults to inject while the service handles traffic. Each resolves when it is over; the service must then recover. */
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
  /** The environment variables of the service. */
  env: NodeJS.ProcessEnv & { DATA_DIR: string };
}

export interface Fault {
  name: string;
  /** Whether requests may fail during the fault. */
  disruptive: boolean;
  /** Throws when the service breaks a guarantee. */
  inject(rig: Rig): Promise<void>;
}

/** Patches a body of 130,000 bytes a hundred times, then requests four of the largest pages of events concurrently. */
const largeEvents: Fault = {
  name: 'large events',
  disruptive: false,
  async inject({ client }) {
    const body = 'é'.repeat(65_000);
    const response = await client.send('POST', '/content', { title: 'Large', type: 'article', body });
    if (response?.status !== 201) throw new Error(`Creating content returned ${response?.status}.`);
    const { id } = (response.body as { data: { id: string } }).data;
    for (let patch = 0; patch < 100; patch += 1) {
      await client.send('PATCH', `/content/${id}`, { body: `${patch} ${body}` });
    }
    const pages = Array.from({ length: 4 }, () => client.send('GET', '/events?limit=500'));
    for (const page of await Promise.all(pages)) {
      const bytes = JSON.stringify(page?.body).length;
      if (page?.status !== 200 || bytes > 5 * MIB)
        throw new Error(`A page of events returned ${page?.status} with ${bytes} bytes.`);
    }
  },
};

/** Forty clients request large pages and never read the responses. */
const unreadResponses: Fault = {
  name: 'unread responses',
  disruptive: false,
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
          throw new Error(`${Math.round(memory / MIB)} MiB resident with unread responses.`);
      }
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
};

/** Rotates the signing keys, then requests forty tokens concurrently. */
const rotation: Fault = {
  name: 'forty tokens after a key rotation',
  disruptive: false,
  async inject({ access, env }) {
    const rotate = ['src/cli.ts', 'signing-keys', 'rotate', '--environment', 'production', '--json'];
    await promisify(execFile)(process.execPath, rotate, { cwd: root, env: { ...process.env, ...env } });
    await Promise.all(Array.from({ length: 40 }, () => tokenOf(access)));
  },
};

const postmasterKilled: Fault = {
  name: 'kill -9 of the postmaster',
  disruptive: true,
  async inject({ env }) {
    process.kill(postmasterOf(env.DATA_DIR), 'SIGKILL');
  },
};

const postgresSuspended: Fault = {
  name: 'PostgreSQL suspended for 40 s',
  disruptive: true,
  async inject({ env, service }) {
    const postmaster = postmasterOf(env.DATA_DIR);
    const suspended = [postmaster, ...childrenOf(postmaster)];
    for (const pid of suspended) process.kill(pid, 'SIGSTOP');
    try {
      await sleep(5_000);
      await expectUnready(service);
      await sleep(35_000);
    } finally {
      for (const pid of suspended) tryKill(pid, 'SIGCONT');
    }
  },
};

const restart: Fault = {
  name: 'SIGTERM to npm, then restart',
  disruptive: true,
  async inject({ service }) {
    checkStop(await service.stop('SIGTERM'));
    await service.start();
  },
};

const killed: Fault = {
  name: 'kill -9 of the service, then restart',
  disruptive: true,
  async inject({ service }) {
    await service.kill();
    await service.start();
  },
};

/** For a service on its embedded server. */
export const embeddedFaults: readonly Fault[] = [
  largeEvents,
  unreadResponses,
  rotation,
  postmasterKilled,
  postgresSuspended,
  restart,
  killed,
];

/** For a service that reaches its database through a simulated network. */
export function networkFaults(network: Network): readonly Fault[] {
  return [
    {
      name: 'established connections drop all packets',
      disruptive: true,
      async inject() {
        network.freeze();
      },
    },
    {
      name: 'the whole network drops all packets for 30 s',
      disruptive: true,
      async inject({ service }) {
        network.freeze();
        network.freezeNew(true);
        await sleep(5_000);
        await expectUnready(service);
        await sleep(25_000);
        network.freezeNew(false);
      },
    },
    {
      name: 'SIGTERM while the network drops all packets',
      disruptive: true,
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

/** Throws unless /readyz answers 503 within 2.5 seconds. */
async function expectUnready({ url }: Service): Promise<void> {
  const startedAt = performance.now();
  const { status } = await fetch(`${url}/readyz`);
  const duration = Math.round(performance.now() - startedAt);
  if (status !== 503 || duration > 2_500) throw new Error(`/readyz answered ${status} after ${duration} ms.`);
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
  if (response.status !== 200) throw new Error(`A token request returned ${response.status}.`);
  return ((await response.json()) as { access_token: string }).access_token;
}

function postmasterOf(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
}

/** Ignores errors, since a backend may have exited in the meantime. */
function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
