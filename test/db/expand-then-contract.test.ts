/** During a rollout, processes of the previous version use the new schema, so a migration must not break them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBaseline } from '../../src/db/releases.ts';

const folder = join(import.meta.dirname, '../../src/db/migrations');

/** Statements that remove something in use. An index may go: without it, queries are only slower. */
const destructive = [
  /\bdrop (?!index)\w+/i,
  /\brename\b/i,
  /\btruncate\b/i,
  /\balter (column )?\w+ (set data )?type\b/i,
  /\bset not null\b/i,
  /\badd (column )?\w+ [^,;()]*\bnot null\b(?![^,;]*\bdefault\b)/i,
];

/** Statements of `up` that remove something without `-- contract: <why nobody needs it any more>` in the line before. */
function unexplained(source: string): string[] {
  const [, up = ''] = /function up\(.*?\{\n(.*?)^\}/ms.exec(source) ?? [];
  const lines = up.split('\n');
  return lines.filter((line, index) => {
    const isExplained = /-- contract: \w+/.test(lines[index - 1] ?? '');
    const isTaken = destructive.some((pattern) => pattern.test(line.replace(/--.*/, '')));
    return isTaken && !isExplained;
  });
}

const migration = (...lines: string[]) =>
  [
    'export async function up(knex: Knex): Promise<void> {',
    '  await knex.raw(`',
    ...lines,
    '  `);',
    '}',
    '',
  ].join('\n');

describe('the migrations after the baseline', () => {
  it('take nothing away, unless they say why nobody needs it', () => {
    const found = readdirSync(folder)
      .filter((name) => !isBaseline(name))
      .flatMap((name) =>
        unexplained(readFileSync(join(folder, name), 'utf8')).map((line) => `${name}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });
});

describe('what counts as a contraction', () => {
  it.each([
    'drop table notes;',
    'alter table leads drop column phone;',
    'drop function new_uuid();',
    'alter table leads rename column phone to telephone;',
    'truncate leads;',
    'alter table leads alter column phone type varchar(20);',
    'alter table leads alter phone set not null;',
    'alter table leads add column score integer not null;',
  ])('%s', (statement) => {
    expect(unexplained(migration(statement))).toEqual([statement]);
    expect(unexplained(migration('-- contract: version 1.2 was the last to use it', statement))).toEqual([]);
  });

  it.each([
    'drop index leads_phone_idx;',
    'alter table leads add column score integer not null default 0;',
    'create table scores (lead_id uuid not null);',
    '-- Does not drop table leads.',
  ])('not: %s', (statement) => {
    expect(unexplained(migration(statement))).toEqual([]);
  });
});
