/** Faults to inject while the service handles traffic. Each resolves when it is over; the service must then recover. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Access } from './client.ts';
import { checkStop, expectUnready, type Fault } from './rig.ts';
import { childrenOf } from './service.ts';

const root = join(import.meta.dirname, '../..');
const MIB = 2 ** 20;

/** Patches a body of 130,000 bytes a hundred times, then requests four of the largest pages of events concurrently. */
const largeEvents: Fault = {
  name: 'large events',
  disruptive: false,
  async inject({ client }) {
    const body = 'é'.repeat(65_000);
    const response = await client.send('POST', '/content', {
      title: `Large ${randomUUID()}`,
      type: 'article',
      body,
    });
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

const postgresStopped: Fault = {
  name: 'fast shutdown of PostgreSQL',
  disruptive: true,
  async inject({ env }) {
    process.kill(postmasterOf(env.DATA_DIR), 'SIGINT');
  },
};

const serviceSuspended: Fault = {
  name: 'the service suspended for 8 s',
  disruptive: true,
  async inject({ service }) {
    service.signal('SIGSTOP');
    try {
      await sleep(8_000);
    } finally {
      service.signal('SIGCONT');
    }
  },
};

/** Shorter than the pause before the second attempt, after which the third one comes minutes later. Milliseconds. */
const RECEIVER_DOWN = 3_500;

const receiverDown: Fault = {
  name: 'the receiver of webhooks answers 503 for 3.5 s',
  disruptive: false,
  async inject({ receiver }) {
    receiver.answer('unavailable');
    await sleep(RECEIVER_DOWN);
    receiver.answer('normally');
  },
};

const receiverHangs: Fault = {
  name: 'the receiver of webhooks answers nothing for 3.5 s',
  disruptive: false,
  async inject({ receiver }) {
    receiver.answer('nothing');
    await sleep(RECEIVER_DOWN);
    receiver.answer('normally');
  },
};

const redisKilled: Fault = {
  name: 'kill -9 of Redis, and back after 5 s',
  disruptive: false,
  async inject({ redis }) {
    if (redis === undefined) return console.log('redis-server is missing: apt-get install redis-server');
    await redis.kill();
    await sleep(5_000);
    await redis.start();
  },
};

const restart: Fault = {
  name: 'SIGTERM to npm, then restart',
  disruptive: true,
  restarts: true,
  async inject({ service }) {
    checkStop(await service.stop('SIGTERM'));
    await service.start();
  },
};

const killed: Fault = {
  name: 'kill -9 of the service, then restart',
  disruptive: true,
  restarts: true,
  async inject({ service }) {
    await service.kill();
    await service.start();
  },
};

/** For a service on its embedded server. */
export const embeddedFaults: readonly Fault[] = [
  receiverDown,
  receiverHangs,
  redisKilled,
  restart,
  killed,
  postmasterKilled,
  rotation,
  largeEvents,
  postgresStopped,
  serviceSuspended,
  unreadResponses,
  postgresSuspended,
];

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
