/** How a database's label is compared with its server. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { inspect } from '../../src/db/inspect.ts';
import { adoptServer, isCopy } from '../../src/db/label.ts';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';
import { asOperator } from '../support/process.ts';

const databases: TestDatabase[] = [];

afterEach(() => Promise.all(databases.splice(0).map((database) => database.drop())));

async function inspectAt(url: string) {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  try {
    return await inspect(connection);
  } finally {
    await connection.end();
  }
}

async function newDatabase(): Promise<string> {
  const database = await createTestDatabase();
  databases.push(database);
  return database.url;
}

describe('a database', () => {
  it('is the original where it was made, and a copy in another database or on another server', async () => {
    const url = await newDatabase();
    const found = await inspectAt(url);
    expect(isCopy(found)).toBe(false);
    // As after a failover.
    const successor = { timeline: found.server.timeline + 1, address: '10.0.0.2:5432', startedAt: '0' };
    expect(isCopy({ ...found, server: { ...found.server, ...successor } })).toBe(false);
    expect(isCopy({ ...found, server: { ...found.server, cluster: '1' } })).toBe(true);
    const copy = await copyDatabase(url);
    databases.push(copy);
    expect(isCopy(await inspectAt(copy.url))).toBe(true);
  });

  it('is compared by its oid alone where the server hides its identifier', async () => {
    const url = await newDatabase();
    const role = `hidden_${randomUUID().replaceAll('-', '')}`;
    const asRole = (there: string) => {
      const own = new URL(there);
      [own.username, own.password, own.search] = [role, 'secret', ''];
      return inspectAt(own.href);
    };
    const admin = inject('serverUrl');
    await query(admin, `create role ${role} login password 'secret'`);
    try {
      await query(
        url,
        `revoke execute on function pg_control_system() from public; grant select on all tables in schema public to ${role}`,
      );
      const found = await asRole(url);
      expect(found.server.cluster).toBe('');
      // It was labelled where the identifier was known.
      expect(isCopy(found)).toBe(true);
      await asOperator(url, ({ db }) => adoptServer(db, found));
      expect(isCopy(await asRole(url))).toBe(false);
      const copy = await copyDatabase(url);
      databases.push(copy);
      expect(isCopy(await asRole(copy.url))).toBe(true);
    } finally {
      await Promise.all(databases.splice(0).map((database) => database.drop()));
      await query(admin, `drop role ${role}`);
    }
  });
});
