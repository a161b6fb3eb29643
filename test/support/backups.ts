/** Backups that tests make and look into. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './process.ts';

interface Manifest {
  kind: string;
  secret_keys: string[];
  environments: Record<string, { tables: Record<string, number> }>;
}

/** What the manifest in a backup says. */
export function manifestOf(file: string): Manifest {
  return JSON.parse(execFileSync('tar', ['-xzOf', file, 'manifest.json'], { encoding: 'utf8' }));
}

/** Cuts the last bytes off a file. */
export function cutShort(file: string): void {
  truncateSync(file, readFileSync(file).length - 100);
}

/** Changes a byte in the middle of a file. */
export function damage(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

/** Resolves when the folder has a name that matches. */
export async function untilNamed(folder: string, name: RegExp): Promise<void> {
  while (!readdirSync(folder).some((one) => name.test(one))) await sleep(5);
}

/** Adds leads one after the other until it is stopped. Returns how many got a 201. */
export function keepAdding(token: string, baseUrl: string) {
  let isStopped = false;
  let added = 0;
  const ended = (async () => {
    while (!isStopped) {
      const { status } = await call(token, 'POST', `${baseUrl}/leads`, {
        name: 'Ada',
        email: `ada-${randomUUID()}@example.com`,
      });
      if (status === 201) added += 1;
    }
  })();
  return {
    added: () => added,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

export async function countLeads(token: string, baseUrl: string): Promise<number> {
  const { body } = await call(token, 'GET', `${baseUrl}/leads?per_page=1`);
  return (body.meta as { total: number }).total;
}
