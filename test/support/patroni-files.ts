/** The files in deploy/patroni, for a network on the loopback such as 127.41.7.0/24. Their ports stay. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './embedded.ts';

export const names = ['db-1', 'db-2', 'db-3'] as const;
export type Name = (typeof names)[number];

/** The line that precedes what is the same on all machines. */
const SHARED = '# The same on all three';

const read = (file: string) => readFileSync(join(project, 'deploy/patroni', file), 'utf8');

export const hostOf = (network: string, name: Name) => `${network}.1${name.at(-1)}`;

/** The variables of a file for systemd, adapted to a machine as the chapter says. */
export function variablesOf(
  file: 'etcd.env' | 'patroni.env',
  network: string,
  name: Name,
): Record<string, string> {
  const [own = '', shared = ''] = read(file).split(SHARED);
  const adapted = own.replaceAll('10.0.0.11', hostOf(network, name)).replaceAll('db-1', name);
  const text = adapted + shared.replaceAll('10.0.0', network);
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value = '']) => [key, value]));
}

/** For a machine whose files are all in `folder`. */
export function patroniConfig(network: string, folder: string): string {
  return replaced(read('patroni.yml'), [
    // Connections within the loopback come from 127.0.0.1.
    ['10.0.0.0/24', '127.0.0.0/8'],
    ['10.0.0', network],
    ['/var/lib/postgresql', folder],
    ['/var/run/postgresql', folder],
    // The tests run PostgreSQL as another user.
    ['local all all peer', 'local all all trust'],
  ]);
}

export function haproxyConfig(network: string): string {
  return replaced(read('haproxy.cfg'), [
    ['10.0.0', network],
    ['127.0.0.1', `${network}.21`],
    ['  user haproxy\n  group haproxy\n', ''],
  ]);
}

/** Fails if the shipped file no longer has one of the texts. */
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/patroni has no ${from}.`);
    return result.replaceAll(from, to);
  }, text);
}
