import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { EmbeddedError } from '../../src/embedded-postgres/server.ts';
import { EmbeddedFixture, isAlive, isRoot, query, withSetting } from '../support/embedded.ts';

// Starting servers and processes may take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const fixture = new EmbeddedFixture();

/** The one-line error message of a failed start. */
async function fault(): Promise<string> {
  const error: unknown = await fixture.start().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddedError);
  const { message } = error as EmbeddedError;
  expect(message).not.toContain('\n');
  return message;
}

describe('the embedded server', () => {
  it('is created with the settings that the service needs', async () => {
    const server = await fixture.start();
    const setting = (name: string) => `current_setting('${name}') as ${name}`;
    const names = ['server_encoding', 'fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
    const more = ['listen_addresses', 'password_encryption', 'timezone', 'max_connections'];
    const [row] = await query(server.url('postgres'), `select ${[...names, ...more].map(setting)}`);
    expect(row).toEqual({
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      timezone: 'UTC',
      max_connections: '100',
    });
    expect(statSync(join(fixture.dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(fixture.dataDir, 'postgres.log'), 'utf8')).toContain(
      'ready to accept connections',
    );
  });

  it('requires the password, and handles the letters of all languages', async () => {
    await fixture.addCluster();
    const url = (await fixture.start()).url('postgres');
    await expect(query(url.replace(/:\w+@/, ':wrong@'), 'select')).rejects.toThrow(/password/);
    await query(url, 'create extension unaccent');
    const sql = `select lower('ÉŽЖ') as lower, unaccent('Ångström') as unaccented`;
    expect(await query(url, sql)).toEqual([{ lower: 'éžж', unaccented: 'Angstrom' }]);
  });

  it('keeps its data across restarts, and stops', async () => {
    await fixture.addCluster();
    const first = await fixture.start();
    await query(first.url('postgres'), 'create table kept as select 1 as n');
    const pid = fixture.postmaster;
    await first.stop();
    expect(isAlive(pid)).toBe(false);
    const second = await fixture.start();
    expect(await query(second.url('postgres'), 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it("keeps clients' data out of its log", async () => {
    await fixture.addCluster();
    const url = (await fixture.start()).url('postgres');
    await query(url, 'create table people (email text check (length(email) < 30), born date)');
    await query(url, 'create unique index people_email_key on people (lower(email))');
    await query(url, "insert into people values ('ada@example.com')");
    for (const sql of [
      "insert into people values ('Ada@example.com')",
      "insert into people values ('ada@a-domain-that-is-too-long.example.com')",
      "insert into people values ('ben@example.com', 'ada@example.com')",
      "do $$ begin insert into people values ('ada@example.com'); end $$",
      "select 'ada@example.com' from nowhere",
    ]) {
      await expect(query(url, sql)).rejects.toThrow();
    }
    const bound = { text: 'insert into people values ($1)', values: ['ada@example.com'] };
    await expect(query(url, bound)).rejects.toThrow(/people_email_key/);
    const log = () => readFileSync(join(fixture.dataDir, 'postgres.log'), 'utf8');
    expect(log()).not.toContain('people_email_key');
    // Errors of the server's own processes are logged anyway. This setting logs a client's in the same way.
    const logged = withSetting(url, 'log_min_messages=error');
    await expect(query(logged, bound)).rejects.toThrow(/people_email_key/);
    expect(log()).toContain('people_email_key');
    expect(log().toLowerCase()).not.toMatch(/ada@|insert|nowhere/);
  });

  it('limits the size of its log', async () => {
    await fixture.addCluster();
    writeFileSync(join(fixture.dataDir, 'postgres.log'), Buffer.alloc(11 * 2 ** 20, 'x'));
    await fixture.start();
    expect(statSync(join(fixture.dataDir, 'postgres.log')).size).toBeLessThan(100_000);
  });
});

describe('concurrent processes', () => {
  it('share one server; the one that started it stops it', async () => {
    await fixture.addCluster();
    const server = await fixture.start();
    const pid = fixture.postmaster;
    const other = fixture.startElsewhere();
    expect(await other.url).toBe(server.url('postgres'));
    await other.stop();
    await query(server.url('postgres'), 'select');
    const another = fixture.startElsewhere();
    await query(await another.url, 'select');
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    await another.stop();
  });

  it('go on when the one that started the server ends: another one starts it on the same port', async () => {
    await fixture.addCluster();
    const starter = fixture.startElsewhere();
    const url = await starter.url;
    const pid = fixture.postmaster;
    const server = await fixture.start();
    server.supervise((error) => {
      throw error;
    });
    await starter.stop();
    expect(isAlive(pid)).toBe(false);
    await vi.waitFor(() => query(url, 'select'), 20_000);
    const next = fixture.postmaster;
    expect(next).not.toBe(pid);
    await server.stop();
    expect(isAlive(next)).toBe(false);
  });

  it('can start at the same time', async () => {
    const others = [fixture.startElsewhere(), fixture.startElsewhere()];
    const server = await fixture.start();
    const urls = await Promise.all(others.map(({ url }) => url));
    expect(new Set([server.url('postgres'), ...urls]).size).toBe(1);
    expect(readdirSync(fixture.dataDir).sort()).toEqual(['postgres', 'postgres.log']);
    const pid = fixture.postmaster;
    await Promise.all([server.stop(), ...others.map((other) => other.stop())]);
    expect(isAlive(pid)).toBe(false);
  });

  it('can start while the last one stops', async () => {
    await fixture.addCluster();
    for (let round = 0; round < 3; round++) {
      const leaving = await fixture.start();
      const [coming] = await Promise.all([fixture.start(), leaving.stop()]);
      // It may have found the server just before the server was told to stop.
      coming.supervise((error) => {
        throw error;
      });
      await vi.waitFor(() => query(coming.url('postgres'), 'select'), 20_000);
      await coming.stop();
    }
  });
});

describe('a start fails with one clear line', () => {
  it('for a folder of another version', async () => {
    await fixture.addCluster();
    writeFileSync(join(fixture.dataDir, 'postgres/data/PG_VERSION'), '16\n');
    expect(await fault()).toMatch(/created by PostgreSQL 16, but this is PostgreSQL 18: dump it/);
  });

  it('for a folder that is not a cluster', async () => {
    mkdirSync(join(fixture.dataDir, 'postgres'), { recursive: true });
    if (isRoot) chownSync(join(fixture.dataDir, 'postgres'), 1, 1);
    expect(await fault()).toMatch(/holds no PostgreSQL cluster/);
  });

  it('for a link to a missing folder', async () => {
    mkdirSync(fixture.dataDir);
    symlinkSync(join(fixture.folder, 'gone'), join(fixture.dataDir, 'postgres'));
    expect(await fault()).toMatch(/points to a folder that is gone/);
  });

  it('for a DATA_DIR that can not exist', async () => {
    writeFileSync(join(fixture.folder, 'file'), '');
    fixture.dataDir = join(fixture.folder, 'file', 'data');
    expect(await fault()).toMatch(/^DATA_DIR is .*, but .*file is not a folder: set DATA_DIR to/);
  });

  it('for a server that does not start', async () => {
    await fixture.addCluster();
    writeFileSync(join(fixture.dataDir, 'postgres/data/postgresql.conf'), 'nonsense = on\n');
    expect(await fault()).toMatch(/does not start: .*configuration file .*contains errors.*postgres\.log/);
  });
});
