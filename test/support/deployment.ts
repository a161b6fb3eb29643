/** What the files of a deployment set for the service, as far as tests ask it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Config, loadConfig } from '../../src/config.ts';
import { imageEnv } from './dockerfile.ts';

const project = join(import.meta.dirname, '../..');

type Env = Record<string, string>;

export function readFile(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}

/** Each variable that the service or Node reads. */
const known = new Set([
  ...[...readFile('src/config.ts').matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)].map(([, name]) => name),
  'NODE_ENV',
]);

/** Secrets that a user makes. */
export const secrets: Env = {
  DATABASE_URL: 'postgres://lead_pipeline:made-up@db/lead_pipeline',
  SANDBOX_DATABASE_URL: 'postgres://lead_pipeline:made-up@db/lead_pipeline_sandbox',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  REDIS_URL: 'redis://:made-up@redis',
};

/** The configuration that a process gets. Fails on a variable that it does not read, or would refuse. */
export function configOf(env: Env, image: Env = imageEnv): Config {
  expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([]);
  return loadConfig({ ...image, ...env });
}
