/**
 * Other people's text never meets an expression whose time grows with the square of its length: half a megabyte would hold the
 * only thread for minutes. Checks every expression in src, and every pattern of the contract.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';

// Some hundred thousand texts, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 });

const LETTERS = 262_144;
/** A linear expression takes about a millisecond for so many letters; one with squared time takes a hundred. */
const FEW_LETTERS = 16_384;
/** CPU time. Milliseconds. */
const LIMIT = 40;

/** Texts that expressions try again at each letter, if they do so at all. */
const units = [
  'a',
  ' ',
  '@',
  '0',
  '.',
  'a@',
  'a.',
  '-',
  '\n',
  '"',
  '<',
  '&',
  '(',
  '[',
  '\\',
  '/',
  '=',
  ',',
  "'",
  '%4',
];
const endings = ['', '\0'];

const files = execFileSync('git', ['ls-files', 'src/*.ts'], { encoding: 'utf8' }).trim().split('\n');

interface Found {
  place: string;
  expression: RegExp;
}

/** The expressions that are written as such, and those that modules make by `new RegExp` when they are loaded. */
async function expressionsOf(file: string): Promise<Found[]> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  let makesSome = false;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ place: `${file}:${line + 1} ${node.text}`, expression });
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') makesSome = true;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return makesSome ? [...found, ...(await madeBy(file))] : found;
}

async function madeBy(file: string): Promise<Found[]> {
  const made: RegExp[] = [];
  const Original = RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [pattern, flags]) {
      const expression = new target(pattern, flags);
      made.push(expression);
      return expression;
    },
  });
  try {
    // The query makes it a module that isn't loaded yet.
    await import(`${resolve(file)}?expressions`);
  } finally {
    globalThis.RegExp = Original;
  }
  return made.map((expression) => ({ place: `${file} ${expression}`, expression }));
}

/** CPU time. Milliseconds. */
function timeOf(work: () => unknown): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

/** The least of a few times: a garbage collection may fall into one of them. */
const leastTime = (work: () => unknown) => Math.min(...[1, 2, 3].map(() => timeOf(work)));

/** The units whose repetition takes too long: all matches in a short text, or the first one in a long text. */
function slowUnits({ expression }: Found): string[] {
  const all = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`);
  const first = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''));
  return units.filter((unit) => {
    const isSquared = endings.some((ending) => {
      const text = unit.repeat(FEW_LETTERS / unit.length) + ending;
      const replace = () => text.replace(all, '');
      return timeOf(replace) > LIMIT / 4 && leastTime(replace) > LIMIT;
    });
    if (isSquared) return true;
    const text = `${unit.repeat(LETTERS / unit.length)}\0`;
    const search = () => text.search(first);
    return timeOf(search) > LIMIT && leastTime(search) > LIMIT * 4;
  });
}

const found = (await Promise.all(files.map(expressionsOf))).flat();

describe('every expression takes linear time', () => {
  it('in src', () => {
    expect(found.length).toBeGreaterThan(300);
    const slow = found.flatMap((one) =>
      slowUnits(one).map((unit) => `${one.place} on ${JSON.stringify(unit)}`),
    );
    expect(slow).toEqual([]);
  });

  it('in the contract', () => {
    const patterns = new Set<string>();
    JSON.parse(readFileSync('generated/openapi.json', 'utf8'), (name, value) => {
      if (name === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
    expect(patterns.size).toBeGreaterThan(40);
    const slow = [...patterns].filter(
      (pattern) => slowUnits({ place: pattern, expression: new RegExp(pattern, 'u') }).length > 0,
    );
    expect(slow).toEqual([]);
  });
});
