import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBaseline, migrationsAfter, releases } from '../../src/db/releases.ts';

const names = readdirSync(join(import.meta.dirname, '../../src/db/migrations')).toSorted();

describe('the releases', () => {
  it('are in order, and each begins with a migration', () => {
    const firsts = releases.map(({ first }) => first);
    expect(firsts.toSorted()).toEqual(firsts);
    expect(firsts.filter((first) => !names.some((name) => name.startsWith(first)))).toEqual([]);
  });

  it('later than 1.0.0 have every migration that is not in the baseline', () => {
    const later = names.filter((name) => !isBaseline(name));
    expect(migrationsAfter('1.0.0', names)).toEqual(later.toReversed());
  });
});
