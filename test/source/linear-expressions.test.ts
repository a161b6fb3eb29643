/**
 * Other people's text never meets an expression whose time grows with the square of its length: half a megabyte would hold the
 * only thread for minutes. Checks every expression in src, and every pattern of the contract.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

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

/** CPU time of all matches in the text. Milliseconds. */
function timeOf(expression: RegExp, text: string): number {
  const all = new RegExp(expression.source, `${expression.flags.replace(/[gy]/g, '')}g`);
  const begin = process.cpuUsage();
  text.replace(all, '');
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

function slowTexts({ expression }: Found): string[] {
  const texts = units.flatMap((unit) => endings.map((ending) => ({ unit, ending })));
  const write = ({ unit, ending }: (typeof texts)[number], letters: number) =>
    unit.repeat(letters / unit.length) + ending;
  const isSlow = (text: string, limit: number) =>
    // A garbage collection may fall into one of them.
    Math.min(...[1, 2, 3].map(() => timeOf(expression, text))) > limit;
  const slow = texts.filter((text) => timeOf(expression, write(text, FEW_LETTERS)) > LIMIT / 4);
  const squared = slow.filter((text) => isSlow(write(text, FEW_LETTERS), LIMIT));
  const rest = texts.filter((text) => !squared.includes(text));
  const long = rest.filter((text) => {
    const letters = write(text, LETTERS);
    return timeOf(expression, letters) > LIMIT && isSlow(letters, LIMIT * 4);
  });
  return [...squared, ...long].map(({ unit }) => unit);
}

const found = (await Promise.all(files.map(expressionsOf))).flat();

describe('every expression takes linear time', () => {
  it('in src', () => {
    expect(found.length).toBeGreaterThan(300);
    const slow = found.flatMap((one) =>
      slowTexts(one).map((unit) => `${one.place} on ${JSON.stringify(unit)}`),
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
      (pattern) => slowTexts({ place: pattern, expression: new RegExp(pattern, 'u') }).length > 0,
    );
    expect(slow).toEqual([]);
  });
});
