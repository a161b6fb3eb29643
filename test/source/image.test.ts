/** The Dockerfile says the same as package.json. What it makes is run by test/process/production-files.test.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { commandOf, copied, instructionsOf } from '../support/dockerfile.ts';
import { startFlags } from '../support/process.ts';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

describe('the image', () => {
  it('has the version of Node that the tests run on, which is one that the service runs on', () => {
    const [, major] = /NODE_IMAGE=node:(\d+)-/.exec(instructionsOf('ARG').join('\n')) ?? [];
    expect(packageJson.devDependencies.node).toMatch(new RegExp(`^\\^${major}\\.`));
    const [, oldest] = /^>=(\d+)/.exec(packageJson.engines.node) ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(Number(oldest));
  });

  it('has the version of the service', () => {
    expect(instructionsOf('ARG')).toContain(`VERSION=${packageJson.version}`);
  });

  it('starts the service as npm start does', () => {
    expect(commandOf('CMD')).toEqual(['node', ...startFlags, 'src/server.ts']);
  });

  it('runs as a user without rights, whom Kubernetes knows by a number, under tini', () => {
    expect(instructionsOf('USER').at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(commandOf('ENTRYPOINT')[0]).toBe('tini');
    expect(instructionsOf('STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  it('gets no other files of the project than those that it copies', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    expect(allowed.toSorted()).toEqual([...copied, 'package-lock.json'].toSorted());
    for (const path of allowed) expect(existsSync(join(project, path)), path).toBe(true);
  });
});
