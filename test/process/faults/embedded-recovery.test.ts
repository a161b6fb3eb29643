import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { EmbeddedFixture, isAlive, isRoot, kill, project, query } from '../../support/embedded.ts';

// They start servers and processes, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const fixture = new EmbeddedFixture();

describe('after kill -9', () => {
  it('of the service, its server shuts down too', async () => {
    await fixture.addCluster();
    const killed = fixture.startElsewhere();
    await killed.url;
    const pid = fixture.postmaster;
    await kill(killed.child);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 20_000);
    expect(readFileSync(join(fixture.dataDir, 'postgres.log'), 'utf8')).toMatch(
      /database system is shut down\n$/,
    );
  });

  it('of the service, the next one, started at once, has its port and stops the server at its end', async () => {
    await fixture.addCluster();
    const killed = fixture.startElsewhere();
    const url = await killed.url;
    const pid = fixture.postmaster;
    await kill(killed.child);
    const server = await fixture.start();
    expect(server.url('postgres')).toBe(url);
    await query(url, 'select');
    const next = fixture.postmaster;
    await server.stop();
    expect([pid, next].filter(isAlive)).toEqual([]);
  });

  it('of the server during writes, nothing that was committed is lost', async () => {
    await fixture.addCluster();
    const killed = await fixture.start();
    const client = new pg.Client({ connectionString: killed.url('postgres') });
    client.on('error', () => {});
    await client.connect();
    await client.query('create table kept (n int)');
    let committed = 0;
    const write = async () => {
      for (;;) {
        await client.query('insert into kept values (1)');
        committed++;
      }
    };
    const broken = write().catch(() => undefined);
    await vi.waitFor(() => expect(committed).toBeGreaterThan(50));
    await fixture.killPostmaster();
    await broken;
    const server = await fixture.start();
    const [row] = await query(server.url('postgres'), 'select count(*)::int as n from kept');
    expect(row?.n).toBeGreaterThanOrEqual(committed);
  });

  it('of the server, with its pid in use by another process, it starts', async () => {
    await fixture.addCluster();
    const killed = await fixture.start();
    await query(killed.url('postgres'), 'create table kept as select 1 as n');
    await fixture.killPostmaster();
    // The same user's process, because PostgreSQL itself passes over the processes of others.
    const { uid, gid } = statSync(join(fixture.dataDir, 'postgres/data'));
    const stranger = fixture.run('sleep', ['60'], 'ignore', isRoot ? { uid, gid } : {});
    const lines = readFileSync(fixture.lockFile, 'utf8').split('\n');
    writeFileSync(fixture.lockFile, [stranger.pid, ...lines.slice(1)].join('\n'));
    const server = await fixture.start();
    expect(fixture.postmaster).not.toBe(stranger.pid);
    expect(await query(server.url('postgres'), 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('while the cluster is being made, the next start makes it', async () => {
    const { child } = fixture.startElsewhere();
    const half = () =>
      existsSync(fixture.dataDir) &&
      readdirSync(fixture.dataDir).some((name) => {
        return name.startsWith('postgres.new-') && existsSync(join(fixture.dataDir, name, 'data/PG_VERSION'));
      });
    while (!half()) await sleep(1);
    await kill(child);
    expect(existsSync(join(fixture.dataDir, 'postgres'))).toBe(false);
    const server = await fixture.start();
    await query(server.url('postgres'), 'select');
    expect(readdirSync(fixture.dataDir).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
  });
});

describe.runIf(isRoot)('as root', () => {
  it('keeps the cluster elsewhere when the user postgres can not enter DATA_DIR', async () => {
    chmodSync(fixture.folder, 0o700);
    const first = await fixture.start();
    await query(first.url('postgres'), 'create table kept as select 1 as n');
    expect(readlinkSync(join(fixture.dataDir, 'postgres'))).toMatch(
      /^\/var\/lib\/lead-pipeline-api\/\w+-\w+$/,
    );
    expect(statSync(fixture.folder).mode & 0o777).toBe(0o700);
    await first.stop();
    const second = await fixture.start();
    expect(await query(second.url('postgres'), 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('runs a copy of the binaries when the user postgres can not enter the project', async () => {
    const version = `18.0.0-test-${process.pid}`;
    const copy = join('/var/lib/lead-pipeline-api', `postgresql-${version}`);
    const root = join(fixture.folder, 'project');
    const modules = join(root, 'node_modules');
    mkdirSync(modules, { recursive: true });
    for (const name of ['db', 'embedded-postgres', 'values']) {
      cpSync(join(project, 'src', name), join(root, 'src', name), { recursive: true });
    }
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    for (const name of ['embedded-postgres', '@embedded-postgres']) {
      cpSync(join(project, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    for (const name of ['pg', 'knex']) symlinkSync(join(project, 'node_modules', name), join(modules, name));
    const platform = join(
      modules,
      '@embedded-postgres',
      `${process.platform}-${process.arch}`,
      'package.json',
    );
    writeFileSync(platform, JSON.stringify({ version, exports: './dist/index.js', type: 'module' }));
    // The cluster is elsewhere already.
    const cluster = `${fixture.folder}-cluster`;
    await fixture.addCluster();
    renameSync(join(fixture.dataDir, 'postgres'), cluster);
    symlinkSync(cluster, join(fixture.dataDir, 'postgres'));
    chmodSync(fixture.folder, 0o700);
    try {
      const other = fixture.startElsewhere(root);
      await query(await other.url, 'select');
      expect(existsSync(join(copy, 'bin/postgres'))).toBe(true);
      await other.stop();
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
