import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBaseline, migrationsAfter, releases } from '../../src/db/releases.ts';

const folder = join(import.meta.dirname, '../../src/db/migrations');
const names = readdirSync(folder).toSorted();

/** The SHA-256 of the baseline's files, one after another. */
const BASELINE = '6c2ee895260ca3cc95098be2b14337e37c82eaca7a0f75b2b245e676b341d84d';

describe('the releases', () => {
  it('are in order, and each begins with a migration', () => {
    const firsts = releases.map(({ first }) => first);
    expect(firsts.toSorted()).toEqual(firsts);
    expect(firsts.filter((first) => !names.some((name) => name.startsWith(first)))).toEqual([]);
  });

  it('keep the baseline as databases have run it', () => {
    const hash = createHash('sha256');
    for (const name of names.filter(isBaseline)) hash.update(readFileSync(join(folder, name)));
    expect(hash.digest('hex')).toBe(BASELINE);
  });

  it('later than 1.0.0 have every migration that is not in the baseline', () => {
    const later = names.filter((name) => !isBaseline(name));
    expect(migrationsAfter('1.0.0', names)).toEqual(later.toReversed());
  });
});
