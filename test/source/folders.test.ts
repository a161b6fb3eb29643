import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src');

/** Each file with the files of src that it imports from, type imports included. Paths within src. */
const imports = globSync('**/*.ts', { cwd: root }).map((file) => {
  const targets = [...readFileSync(join(root, file), 'utf8').matchAll(/'(\.{1,2}\/[^']+\.ts)'/g)]
    .map(([, target = '']) => join('/src', file, '..', target))
    .filter((path) => path.startsWith('/src/'));
  return { file, targets: targets.map((path) => path.slice('/src/'.length)) };
});

/** For each folder in this one, the folders in it that it imports from. In src itself, its files count too. */
function importsWithin(folder: string): Map<string, Set<string>> {
  const placeOf = (path: string) => {
    if (!path.startsWith(folder)) return undefined;
    const [place, ...rest] = path.slice(folder.length).split('/');
    return rest.length > 0 || folder === '' ? place : undefined;
  };
  const found = new Map<string, Set<string>>();
  for (const { file, targets } of imports) {
    const from = placeOf(file);
    if (from === undefined) continue;
    const others = targets.map(placeOf).filter((to) => to !== undefined && to !== from) as string[];
    found.set(from, new Set([...(found.get(from) ?? []), ...others]));
  }
  return found;
}

function cyclesIn(places: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  function follow(place: string, path: readonly string[]): void {
    if (path.includes(place)) cycles.push([...path.slice(path.indexOf(place)), place].join(' → '));
    else if (!done.has(place)) for (const next of places.get(place) ?? []) follow(next, [...path, place]);
    done.add(place);
  }
  for (const place of places.keys()) follow(place, []);
  return cycles;
}

const folders = ['', ...new Set(imports.flatMap(({ file }) => parentsOf(file)))];

/** `http/body/` and `http/` of `http/body/body.ts`. */
function parentsOf(file: string): string[] {
  const names = file.split('/').slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
}

test('no folder imports from a folder that imports from it, directly or through others', () => {
  expect(importsWithin('').size).toBeGreaterThan(20);
  expect(importsWithin('http/').size).toBeGreaterThan(5);
  for (const folder of folders) expect([folder, cyclesIn(importsWithin(folder))]).toEqual([folder, []]);
});
