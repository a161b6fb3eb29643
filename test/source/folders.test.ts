import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src');

/** A folder of src, or a file that lies in src itself. */
const placeOf = (path: string) => path.split('/')[0] ?? '';

/** For each place, the places that it imports from, type imports included. */
function readImports(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync('**/*.ts', { cwd: root })) {
    const from = placeOf(file);
    const targets = imports.get(from) ?? new Set();
    imports.set(from, targets);
    for (const [, target = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /'(\.{1,2}\/[^']+\.ts)'/g,
    )) {
      const path = join('/src', file, '..', target);
      const to = placeOf(path.slice('/src/'.length));
      if (path.startsWith('/src/') && to !== from) targets.add(to);
    }
  }
  return imports;
}

test('no folder imports from a folder that imports from it, directly or through others', () => {
  const imports = readImports();
  const cycles: string[] = [];
  const done = new Set<string>();
  function follow(place: string, path: readonly string[]): void {
    if (path.includes(place)) cycles.push([...path.slice(path.indexOf(place)), place].join(' → '));
    else if (!done.has(place)) for (const next of imports.get(place) ?? []) follow(next, [...path, place]);
    done.add(place);
  }
  for (const place of imports.keys()) follow(place, []);

  expect(imports.size).toBeGreaterThan(20);
  expect(cycles).toEqual([]);
});
