import type { Config } from '../../config.ts';
import { postgresDatabase } from '../../config-values.ts';
import { type OpenSession, withSession } from '../../db/session.ts';
import type { Environment } from '../../environment.ts';
import { findDatabase, findSelf, findSessions, type Listed } from './queries.ts';

/** The database that a restore makes or replaces. */
export interface Target {
  environment: Environment;
  name: string;
  /** The database's, for the service's role. */
  url: string;
  /** Leads to the server's database `postgres`, for a role that may create databases. */
  adminUrl: string;
  /** The service's role. */
  role: string;
  /** Undefined if there is no such database. */
  current: Listed | undefined;
}

/** The URL of an environment's database, around a pooler. */
export function directUrl({ databases, directDatabases }: Config, environment: Environment): string {
  return directDatabases?.[environment] ?? databases?.[environment] ?? '';
}

/** The same server, role and settings, but another database. */
export function inDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, (_all, start) => `${start}/${encodeURIComponent(name)}`);
}

/** Throws if a pooler is between: it may give each transaction another session. */
export async function checkDirect(session: OpenSession): Promise<void> {
  if ((await findSelf(session)).pid === session.processID) return;
  throw new Error(
    'DATABASE_URL leads to a pooler: set DATABASE_DIRECT_URL and SANDBOX_DATABASE_DIRECT_URL to the addresses of PostgreSQL itself.',
  );
}

/** Looks at the target of a restore, and throws if it can't be replaced. Changes nothing. `version` is that of the original server. */
export async function findTarget(
  config: Config,
  environment: Environment,
  serverUrl: string | undefined,
  version: string,
): Promise<Target> {
  const url = directUrl(config, environment);
  const name = postgresDatabase(url);
  const { role } = await withSession(inDatabase(url, 'postgres'), async (session) => {
    await checkDirect(session);
    return findSelf(session);
  });
  const adminUrl = inDatabase(serverUrl ?? url, 'postgres');
  return withSession(adminUrl, async (session) => {
    await checkServer(session, version, serverUrl !== undefined);
    const current = await findDatabase(session, name);
    if (current?.mayChange === false) {
      throw new Error(
        `The database ${name} belongs to ${current.owner}, so this role can't rename it. Name that role, or a superuser, with --server-url.`,
      );
    }
    await refuseIfUsed(session, name);
    return { environment, name, url, adminUrl, role, current };
  });
}

/** Throws if somebody is connected to the database. */
export async function refuseIfUsed(session: OpenSession, name: string): Promise<void> {
  const sessions = await findSessions(session, name);
  if (sessions.length === 0) return;
  throw new Error(
    `The database ${name} is in use, and nothing was changed. Stop all processes of the service, and what else is connected: ` +
      `${sessions.join('; ')}.`,
  );
}

async function checkServer(session: OpenSession, version: string, isNamed: boolean): Promise<void> {
  const self = await findSelf(session);
  if (Number.parseInt(self.version, 10) < Number.parseInt(version, 10)) {
    throw new Error(
      `The backup is from PostgreSQL ${version}, and this server is PostgreSQL ${self.version}. Restore it on the same version or a newer one.`,
    );
  }
  if (self.mayCreate) return;
  const other = isNamed
    ? 'another one with --server-url'
    : 'one that may with --server-url postgres://role@host';
  throw new Error(
    `The role ${self.role} may not create databases. Name ${other}, or run this in psql as a superuser, and repeat the command: ` +
      `ALTER ROLE ${session.escapeIdentifier(self.role)} CREATEDB;`,
  );
}
