import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { EmbeddedFixture, isAlive, isRoot, kill, project, query } from '../../support/embedded.ts';
import { run } from '../../support/process.ts';

// They start servers and processes, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const fixture = new EmbeddedFixture();

describe('after kill -9', () => {
  it('of the service, its PostgreSQL shuts down too', async () => {
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

  it('of the service, the next one starts immediately on the same port, and stops PostgreSQL at its end', async () => {
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

  it('of PostgreSQL during writes, no committed change is lost', async () => {
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
    await expect.poll(() => committed).toBeGreaterThan(50);
    await fixture.killPostmaster();
    await broken;
    const server = await fixture.start();
    const [row] = await query(server.url('postgres'), 'select count(*)::int as n from kept');
    expect(row?.n).toBeGreaterThanOrEqual(committed);
  });

  it('of PostgreSQL, it starts even if another process has its pid', async () => {
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

  it('during the creation of the cluster, the next start creates it again', async () => {
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

describe.runIf(isRoot)('as root, in a folder that nobody else can enter', () => {
  /** A copy of the project's embedded server, below a private folder. */
  function privateProject(): string {
    const root = join(fixture.folder, 'project');
    const modules = join(root, 'node_modules');
    for (const path of ['db', 'embedded-postgres', 'values'])
      cpSync(join(project, 'src', path), join(root, 'src', path), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    for (const name of ['embedded-postgres', '@embedded-postgres'])
      cpSync(join(project, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    for (const name of ['pg', 'knex']) symlinkSync(join(project, 'node_modules', name), join(modules, name));
    return root;
  }

  it.each([
    ['with all capabilities', []],
    [
      "with those of Docker's containers",
      ['setpriv', '--bounding-set=-dac_read_search,-sys_admin,-sys_ptrace'],
    ],
  ])('the server runs as another user, and keeps its data: %s', async (_, wrapper) => {
    const root = privateProject();
    chmodSync(fixture.folder, 0o700);
    const first = fixture.startElsewhere({ root, wrapper });
    await query(await first.url, 'create table kept as select 1 as n');
    const status = readFileSync(`/proc/${fixture.postmaster}/status`, 'utf8');
    expect(status).toMatch(/^Uid:(\t65534){4}$/m);
    expect(status).toMatch(wrapper.length === 0 ? /^CapEff:\t0{15}4$/m : /^CapEff:\t0{15}2$/m);
    await first.stop();
    const second = fixture.startElsewhere({ root, wrapper });
    expect(await query(await second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
    expect(readdirSync(fixture.dataDir).sort()).toEqual(['postgres', 'postgres.log']);
    expect(statSync(fixture.folder).mode & 0o777).toBe(0o700);
  });

  it('a start says what to do if root can not switch to another user', async () => {
    const options = ['--bounding-set=-setuid', process.execPath, 'src/server.ts'];
    const { output, exited } = run('setpriv', options, { DATA_DIR: fixture.dataDir });
    expect(await exited).toBe(1);
    expect(output.stderr).toMatch(
      /^PostgreSQL refuses to run as root, and setpriv could not run it as another user \(.+\)\. Start as a regular user, .+\n$/,
    );
  });
});
