/** Made-up releases after this one, added to an operator's copy of the sources. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './operator.ts';

const migration = (up: string, down: string) => `
export async function up(knex) {
  await knex.raw(\`${up}\`);
}
export async function down(knex) {
  await knex.raw(\`${down}\`);
}
`;

/** What 1.1.0 and 1.2.0 add. The first one has a table with data, a column, and a change of rows. */
const migrations = {
  '20270101000000_scores.ts': migration(
    `create table scores (lead_id uuid not null, score integer not null);
     alter table leads add column score integer;
     alter table leads add column unused integer`,
    `drop table scores;
     update leads set metadata = '{}' where score is not null;
     alter table leads drop column score, drop column unused`,
  ),
  '20270201000000_ratings.ts': migration('create table ratings (stars integer)', 'drop table ratings'),
};

/** Installs the sources of 1.2.0. */
export function installLaterRelease(operator: Operator, more: Record<string, string> = {}): void {
  const src = operator.ownCopy('src');
  for (const [name, text] of Object.entries({ ...migrations, ...more }))
    writeFileSync(join(src, 'db/migrations', name), text);
  const file = join(src, 'db/releases.ts');
  const text = readFileSync(file, 'utf8');
  const [, last = ''] = /(\{ version: [^}]+\})\];/.exec(text) ?? [];
  const later = `{ version: '1.1.0', first: '202701' }, { version: '1.2.0', first: '202702' }`;
  writeFileSync(file, text.replace(last, `${last}, ${later}`));
}
