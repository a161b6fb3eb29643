import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '../../src/process/free-port.ts';
import { waitUntil } from './service.ts';

export interface Redis {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** A Redis that keeps nothing on disk, on a free port. Undefined where it is not installed. */
export async function startRedis(folder: string): Promise<Redis | undefined> {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis: Redis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const options = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
      child = spawn('redis-server', [...options, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
      await waitUntil(() => accepts(port), 10_000, 'Redis did not start.');
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
  await redis.start();
  return redis;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
