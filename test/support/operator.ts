/** An operator at a machine: a clone of the project, databases with a few leads, and blocks that are pasted into a shell. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startEmbedded } from '../../src/embedded-postgres/server.ts';
import {
  bin,
  type DebianPostgres,
  hasDebianPostgres,
  noPostgres,
  startDebianPostgres,
} from './debian-postgres.ts';
import { isAlive, project, query } from './embedded.ts';
import { differences, readFiles, readServer, type State } from './installation-state.ts';
import { Newcomer } from './newcomer.ts';
import { NODE_COMPILE_CACHE, postmaster } from './process.ts';
import { type Ended, type Interrupt, runInShell } from './shell.ts';

type Place = 'the embedded PostgreSQL' | "Debian's PostgreSQL 15";

/** For `describe.each`. */
export const places: Place[] = ['the embedded PostgreSQL', "Debian's PostgreSQL 15"];

/** The reason to skip a test; undefined where it can run. */
export function missingAt(place: Place): string | undefined {
  return place === "Debian's PostgreSQL 15" && !hasDebianPostgres ? noPostgres : undefined;
}

/** What a person may do wrong with a block. Each also works with the others. */
interface Slip {
  /** Variables beside those of the installation. An empty text stands for a variable that isn't set. */
  env?: Record<string, string>;
  /** Another folder than the clone's. */
  cwd?: string;
  /** How often the block is pasted, in one shell. */
  times?: number;
  /** Ctrl-C, or the machine loses power. */
  interrupt?: Interrupt;
}

interface Outcome extends Ended {
  /** What differs afterwards: files, roles, databases, tables. */
  changes: string[];
}

/** What running services change by themselves. */
const restless = /^table \w+\.retention_clock: changed$/;

/** The files of the embedded PostgreSQL, whose databases are compared instead, and caches. */
const isSkipped = (path: string) => /^\.data\/postgres(\.log)?$|^\.(npm|cache)$/.test(path);

/** Files that blocks may change: copies, where a newcomer has links. */
const edited = ['.env.example', 'compose.yaml', 'deploy', 'Dockerfile', 'package-lock.json'];

/** Its leads, by which a test recognizes a database. */
const people = { production: ['Ada', 'Grace'], sandbox: ['Eve'] };

/** A stopped installation: a folder to copy, and the variables that it needs. */
interface Image {
  folder: string;
  env: Record<string, string>;
}

/** Made once per worker. The run deletes them with its temporary folder. */
const images = new Map<Place, Promise<Image>>();

export class Operator extends Newcomer {
  /** What the operator has set in the shell. */
  readonly env: Record<string, string> = {};
  private postgres: DebianPostgres | undefined;

  constructor() {
    super();
    for (const name of edited) copy(join(project, name), join(this.folder, name));
    // It follows links, and would run the project's own sources.
    this.ownCopy('bin');
  }

  /** An installation whose databases are there and have leads. Close it with leave(). */
  static async at(place: Place): Promise<Operator> {
    const image = images.get(place) ?? prepare(place);
    images.set(place, image);
    const { folder, env } = await image;
    const operator = new Operator();
    Object.assign(operator.env, env);
    if (place === 'the embedded PostgreSQL') copy(folder, operator.dataDir);
    else operator.setUrls(await operator.startPostgres(folder));
    return operator;
  }

  /** Debian's PostgreSQL without databases. No variable names it. */
  static async withEmptyServer(): Promise<Operator> {
    const operator = new Operator();
    await operator.startPostgres();
    return operator;
  }

  private async startPostgres(frozen?: string): Promise<DebianPostgres> {
    this.postgres = await startDebianPostgres(frozen);
    if (this.postgres === undefined) throw new Error(noPostgres);
    return this.postgres;
  }

  private setUrls({ url }: DebianPostgres): void {
    const asOwner = (database: string) => url(database).replace('tester', 'api');
    Object.assign(this.env, {
      DATABASE_URL: asOwner('leads'),
      SANDBOX_DATABASE_URL: asOwner('leads_sandbox'),
    });
  }

  /** Gives the clone its own copy of a folder, which a test may change. */
  ownCopy(name: string): string {
    const path = join(this.folder, name);
    const source = realpathSync(path);
    rmSync(path);
    copy(source, path);
    return path;
  }

  /** The URL of a database for a superuser. With the embedded PostgreSQL, only while its server runs. */
  url(database: string): string {
    if (this.postgres === undefined)
      throw new Error('Only an installation with its own PostgreSQL has such a URL.');
    return this.postgres.url(database);
  }

  /** Runs SQL in an environment's database, whether or not a service is running. */
  sql(environment: 'production' | 'sandbox', text: string): Promise<Record<string, unknown>[]> {
    const own = environment === 'production' ? 'leads' : 'leads_sandbox';
    return this.onServer((url) => query(url(this.postgres ? own : `lead_pipeline_${environment}`), text));
  }

  private async onServer<Result>(
    task: (url: (database: string) => string) => Promise<Result>,
  ): Promise<Result> {
    if (this.postgres !== undefined) return task(this.postgres.url);
    const server = await startEmbedded(this.dataDir, { create: false });
    try {
      return await task(server.url);
    } finally {
      await server.stop();
    }
  }

  /** All files, roles and databases. */
  async state(): Promise<State> {
    const files = { ...readFiles(this.folder, '', isSkipped), ...readFiles(this.home, '~/', isSkipped) };
    const hasServer =
      this.postgres !== undefined || existsSync(join(this.dataDir, 'postgres/data/PG_VERSION'));
    return hasServer ? { ...files, ...(await this.onServer(readServer)) } : files;
  }

  override start(env: Record<string, string> = {}): Promise<void> {
    return super.start({ ...this.env, ...env });
  }

  /** Pastes a block into a shell that has the installation's variables, and compares everything before and after. */
  async paste(text: string, slip: Slip = {}): Promise<Outcome> {
    const before = await this.state();
    const ended = await this.run(text, slip);
    const changes = differences(before, await this.state()).filter((change) => !restless.test(change));
    return { ...ended, changes };
  }

  /** Like paste(), but compares nothing: for the steps of a longer way. */
  run(text: string, { env = {}, cwd = this.folder, times = 1, interrupt }: Slip = {}): Promise<Ended> {
    const { PATH = '' } = process.env;
    // npx would ask npm's registry for a package that it doesn't find.
    const base = { PATH: `${bin}:${PATH}`, HOME: this.home, npm_config_offline: 'true', NODE_COMPILE_CACHE };
    const variables = Object.entries({ ...base, ...this.env, ...env }).filter(([, value]) => value !== '');
    const pasted = `${this.onItsPort(text)}\n`.repeat(times);
    return runInShell(pasted, { cwd, env: Object.fromEntries(variables), interrupt });
  }

  /** Makes the databases with their leads, and stops. */
  async makeImage(): Promise<Image> {
    if (this.postgres === undefined) this.addDatabases();
    else {
      await query(this.url('postgres'), 'create role api login');
      for (const name of ['leads', 'leads_sandbox'])
        await query(this.url('postgres'), `create database ${name} owner api`);
      this.setUrls(this.postgres);
      this.env.SECRET_KEY = randomBytes(32).toString('base64');
      expectSuccess(await this.run('bin/lead-pipeline migrate'));
    }
    // The first command makes the file of the lock.
    expectSuccess(await this.run('bin/lead-pipeline clients list --environment production'));
    for (const environment of ['production', 'sandbox'] as const) {
      const names = people[environment];
      const rows = names.map(
        (name) => `(new_uuid(), '${name}', '${name.toLowerCase()}@example.com', 'new', 'manual')`,
      );
      await this.sql(
        environment,
        `insert into leads (id, name, email, status, source) values ${rows.join()}`,
      );
    }
    const folder = mkdtempSync(join(tmpdir(), 'installation-'));
    const data = join(folder, 'data');
    copy((await this.postgres?.freeze()) ?? this.dataDir, data);
    return { folder: data, env: this.env };
  }

  override async leave(): Promise<void> {
    await this.interrupt();
    await this.postgres?.stop();
    const pid = postmaster(this.dataDir) ?? 0;
    if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
    while (isAlive(pid)) await sleep(20);
    await super.leave();
  }
}

/** Keeps owners, since PostgreSQL runs as another user. */
function copy(source: string, target: string): void {
  execFileSync('cp', ['-a', source, target]);
}

async function prepare(place: Place): Promise<Image> {
  const operator = place === 'the embedded PostgreSQL' ? new Operator() : await Operator.withEmptyServer();
  try {
    return await operator.makeImage();
  } finally {
    await operator.leave();
  }
}

export function expectSuccess({ status, stdout, stderr }: Ended): void {
  expect(status, `${stdout}\n${stderr}`).toBe(0);
}

/** The block has changed nothing, and says why. */
export function expectRefusal({ status, stderr, changes }: Outcome, why: RegExp): void {
  expect(changes).toEqual([]);
  expect(stderr).toMatch(why);
  expect(status).not.toBe(0);
}
