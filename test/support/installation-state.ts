/** What an installation consists of, to compare before and after a command: files, databases and roles. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import createKnex, { type Knex } from 'knex';
import { readSchema } from './schema.ts';

/** What it is → what a person sees of it, and a hash of its content. */
export type State = Record<string, string>;

const hash = (content: string | Buffer) => ` #${createHash('sha256').update(content).digest('hex')}`;

/** All files below a folder, with mode and content. `prefix` tells the names of two folders apart. */
export function readFiles(folder: string, prefix: string, isSkipped: (path: string) => boolean): State {
  const state: State = {};
  const visit = (path: string) => {
    const inside = relative(folder, path);
    if (inside !== '' && isSkipped(inside)) return;
    const name = prefix + inside;
    const found = lstatSync(path);
    const mode = (found.mode & 0o777).toString(8);
    if (found.isDirectory()) {
      if (inside !== '') state[`folder ${name}`] = mode;
      for (const entry of readdirSync(path)) visit(join(path, entry));
    } else if (found.isSymbolicLink()) state[`link ${name}`] = readlinkSync(path);
    else if (found.isFile()) state[`file ${name}`] = `${mode}${hash(readFileSync(path))}`;
    else state[`special file ${name}`] = mode;
  };
  visit(folder);
  return state;
}

/** All databases of a server: their schema, and the rows of each table. */
export async function readServer(url: (database: string) => string): Promise<State> {
  const state: State = {};
  const { databases, closed, roles } = await using(url('postgres'), async (knex) => ({
    databases: await knex('pg_database').where({ datistemplate: false, datallowconn: true }).pluck('datname'),
    closed: await knex('pg_database').where({ datistemplate: false, datallowconn: false }).pluck('datname'),
    roles: await knex('pg_roles').whereNot('rolname', 'like', 'pg\\_%').select('*').orderBy('rolname'),
  }));
  for (const role of roles) state[`role ${role.rolname}`] = hash(JSON.stringify(role));
  for (const database of closed as string[]) state[`closed database ${database}`] = '';
  for (const database of databases as string[]) {
    Object.assign(state, await using(url(database), (knex) => readDatabase(knex, database)));
  }
  return state;
}

async function readDatabase(knex: Knex, database: string): Promise<State> {
  const state: State = { [`database ${database}`]: hash(JSON.stringify(await readSchema(knex))) };
  const tables: { name: string }[] = await knex('pg_class')
    .whereIn('relkind', ['r'])
    .whereRaw("relnamespace = 'public'::regnamespace")
    .select(knex.raw('relname as name'))
    .orderBy('relname');
  if (tables.length === 0) return state;
  const contents = tables.map(({ name }) =>
    knex.raw(
      `select ? as name, count(*)::int as rows, md5(string_agg(t::text, '' order by t::text)) as hash from ?? t`,
      [name, name],
    ),
  );
  const { rows } = await knex.raw(contents.map(String).join(' union all '));
  for (const { name, rows: count, hash: content } of rows)
    state[`table ${database}.${name}`] = `${count} rows #${content}`;
  return state;
}

async function using<Result>(url: string, task: (knex: Knex) => Promise<Result>): Promise<Result> {
  const knex = createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  try {
    return await task(knex);
  } finally {
    await knex.destroy();
  }
}

/** What differs, as a person would say it. */
export function differences(before: State, after: State): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].toSorted().flatMap((name) => {
    if (before[name] === after[name]) return [];
    if (before[name] === undefined) return [`${name}: new`];
    if (after[name] === undefined) return [`${name}: gone`];
    const [was, is] = [visible(before[name]), visible(after[name])];
    return [`${name}: ${was === is ? 'changed' : `${was} → ${is}`}`];
  });
}

const visible = (content: string) => content.replace(/ #.*/, '');
