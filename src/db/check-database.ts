import type { Inspection } from './inspect.ts';
import { checkLocale, checkVersion, inspectBy, missingIn, needsDirectUrl } from './migrate.ts';
import { findNames, openKnex } from './migration-settings.ts';
import type { Route } from './pool/route.ts';
import { checkPrivileges } from './privileges.ts';

/** What a database is. Changes nothing. */
export function inspectDatabase(route: Route): Promise<Inspection> {
  return inside(route, inspectBy);
}

/** Throws an Error that says what to do if the server, the database or the role lacks what migrations need. */
export function checkRights(route: Route): Promise<void> {
  return inside(route, async (knex) => {
    await checkVersion(knex);
    await checkPrivileges(knex);
    await checkLocale(knex);
  });
}

/** Says which migrations would run. Throws an Error that says what to do if they could not. */
export async function describeSchema(
  { migrations: done }: Inspection,
  { directUrl }: Route,
): Promise<string> {
  const names = await findNames();
  const missing = missingIn({ migrations: done }, names);
  if (missing.length > 0 && directUrl === undefined) throw needsDirectUrl(missing.length);
  const newer = done.filter((name) => !names.includes(name));
  const parts = [
    missing.length > 0 && done.length === 0 && `empty, ${missing.length} migrations would run`,
    missing.length > 0 && done.length > 0 && `${missing.length} migrations would run: ${missing.join(', ')}`,
    newer.length > 0 && `has ${newer.length} migrations of a newer version: ${newer.join(', ')}`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join('; ') : 'up to date';
}

async function inside<Result>(
  { url, directUrl = url }: Route,
  task: (knex: ReturnType<typeof openKnex>) => Promise<Result>,
): Promise<Result> {
  const knex = openKnex(directUrl, { pool: { min: 0, max: 1 } });
  try {
    return await task(knex);
  } finally {
    await knex.destroy();
  }
}
