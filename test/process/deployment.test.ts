/** Starts the processes of each shipped deployment, on databases created by deploy/postgresql.sql. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '../../src/embedded-postgres/server.ts';
import { freePort } from '../../src/process/free-port.ts';
import { commandOf } from '../support/dockerfile.ts';
import { cleanUp, newDataDir, preparedDataDir, run } from '../support/process.ts';
import { missing } from '../support/programs.ts';
import { createRedis, type Redis } from '../support/redis.ts';
import { compose, type Manifest, manifests, type Workload, workloads } from '../support/workloads.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const project = join(import.meta.dirname, '../..');
const PASSWORD = 'made-up';
/** The service stops within 12 seconds in any case. */
const LONGEST_STOP = 12;
/** From 0 to 10, as systemd-analyze rates units. Without its sandboxing options, a unit has 9.6. */
const MAX_EXPOSURE = 2;

afterAll(cleanUp);

describe('each deployment', () => {
  const skipped = missing('psql', 'redis-server');
  const jobs = workloads.filter(({ name }) => name.endsWith('migrate'));
  // In compose.yaml, api-2 is an alias of api-1.
  const processes = workloads.filter(({ name }) => !/migrate$|api-2$/.test(name));
  let postgres: EmbeddedServer;
  let redis: Redis;

  beforeAll(async () => {
    if (skipped !== undefined) return;
    postgres = await startEmbedded(preparedDataDir());
    redis = await createRedis();
    await redis.start();
    const admin = new URL(postgres.url('postgres'));
    const psql = (...args: string[]) =>
      execFileSync('psql', ['--quiet', ...args, admin.href], {
        cwd: project,
        env: { ...process.env, DATABASE_PASSWORD: PASSWORD },
      });
    // Frees the names that deploy/postgresql.sql uses, which the embedded server already has.
    psql(`--command=create role admin superuser login password '${PASSWORD}'`);
    Object.assign(admin, { username: 'admin', password: PASSWORD });
    psql('--command=alter role lead_pipeline rename to embedded');
    psql('--command=drop database lead_pipeline_sandbox');
    psql('--file=deploy/postgresql.sql');
  });
  beforeEach(({ skip }) => {
    if (skipped !== undefined) skip(skipped);
  });
  afterAll(async () => {
    await redis?.close();
    await postgres?.stop();
  });

  /** The workload's variables, with made-up secrets and this machine's addresses. */
  async function variablesOf({ env }: Workload): Promise<Record<string, string>> {
    const local = (database: string, url = `postgres://lead_pipeline@db/${database}`) => {
      const { host } = new URL(postgres.url('postgres'));
      return Object.assign(new URL(url.replaceAll(/\$(\{.*?\}|\w+)/g, 'x')), { host, password: PASSWORD })
        .href;
    };
    const [port, metricsPort] = [await freePort(), await freePort()];
    return {
      ...env,
      DATABASE_URL: local('lead_pipeline', env.DATABASE_URL),
      SANDBOX_DATABASE_URL: local('lead_pipeline_sandbox', env.SANDBOX_DATABASE_URL),
      SECRET_KEY: 'ab'.repeat(32),
      PUBLIC_URL: 'https://api.example.com',
      REDIS_URL: redis.url,
      DATA_DIR: newDataDir(),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    };
  }

  /** The image has its commands in PATH. */
  const PATH = `${project}/bin:${process.env.PATH}`;
  const start = ([program = '', ...args]: string[], env: Record<string, string>) =>
    run(program === 'node' ? process.execPath : program, args, { PATH, ...env });

  it.each(jobs)('$name migrates both databases', async (workload) => {
    const { exited, output } = start(workload.command, await variablesOf(workload));
    expect(await exited, output.stderr).toBe(0);
  });

  it.each(processes)('$name starts, passes its health checks and has time to stop', async (workload) => {
    const env = await variablesOf(workload);
    const { child, exited, output } = start(workload.command, env);
    const hostOf = (port: string | undefined) =>
      port === env.METRICS_PORT ? env.METRICS_HOST?.replace('0.0.0.0', '127.0.0.1') : '127.0.0.1';
    const statusOf = (port: string | undefined, path: string) =>
      fetch(`http://${hostOf(port)}:${port}${path}`, { headers: { 'X-Forwarded-Proto': 'https' } }).then(
        ({ status }) => status,
        () => output.stderr,
      );
    const isApi = env.ROLE === 'api';
    const [port, path] = isApi ? [env.PORT, '/readyz'] : [env.METRICS_PORT, '/metrics'];
    await expect.poll(() => statusOf(port, path), { timeout: 30_000 }).toBe(200);
    for (const probe of workload.probes) {
      const actual = {
        [`${workload.env.PORT}`]: env.PORT,
        [`${workload.env.METRICS_PORT}`]: env.METRICS_PORT,
      };
      expect(await statusOf(actual[probe.port], probe.path), probe.path).toBe(200);
    }
    if (workload.name.startsWith('compose'))
      expect(await start(commandOf('HEALTHCHECK'), env).exited).toBe(0);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(workload.grace).toBeGreaterThan(LONGEST_STOP);
    expect(workload.command, 'starts as `npm start` does').toEqual(commandOf('CMD'));
  });
});

describe('the systemd units', () => {
  const skipped = missing('systemd-analyze');
  beforeEach(({ skip }) => {
    if (skipped !== undefined) skip(skipped);
  });

  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  it.each(globSync('deploy/systemd/*.service', { cwd: project }))('%s are valid and sandboxed', (unit) => {
    const file = join(project, unit);
    expect(analyze('verify', '--man=no', file).output).not.toContain(unit);
    const threshold = `--threshold=${MAX_EXPOSURE * 10}`;
    const { status, output } = analyze('security', '--offline=yes', '--no-pager', threshold, file);
    expect(status, output).toBe(0);
  });
});

describe('compose.yaml', () => {
  const read = (path: string) => readFileSync(join(project, path), 'utf8');

  it('matches the services of nginx, mounts existing files, and uses exactly the settings of .env.example', () => {
    const upstreams = [...read('deploy/nginx/compose.conf').matchAll(/^ +server ([\w-]+):\d+ /gm)].map(
      ([, name]) => name,
    );
    expect(upstreams.length).toBeGreaterThan(0);
    expect(upstreams).toEqual(Object.keys(compose.services).filter((name) => name.startsWith('api-')));
    const mounts: string[] = [...read('compose.yaml').matchAll(/- (\.\/[^:]+):/g)].map(
      ([, path = '']) => path,
    );
    expect(mounts.length).toBeGreaterThan(0);
    expect(mounts.filter((path) => !existsSync(join(project, path)))).toEqual([]);
    const needed = new Set([...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const described = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(new Set(described)).toEqual(needed);
  });
});

describe('the Kubernetes manifests', () => {
  /** Compiles each manifest as a literal of its type, so unknown fields are errors too. */
  function errorsOf(objects: readonly Manifest[]): string[] {
    const name = join(project, 'deploy/manifests.ts');
    const text = objects
      .map(({ apiVersion, kind, ...rest }, index) => {
        const group = apiVersion.includes('/')
          ? apiVersion.replace(/(\.[\w.]+)?\//, '/')
          : `core/${apiVersion}`;
        const value = JSON.stringify({ apiVersion, kind, ...rest });
        return [
          `import type { ${kind} as Type${index} } from 'kubernetes-types/${group}';`,
          `export const manifest${index}: Type${index} = ${value};`,
        ].join('\n');
      })
      .join('\n');
    const options: ts.CompilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es5.d.ts'] },
      ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    };
    const host = ts.createCompilerHost(options);
    const { readFile, fileExists } = host;
    host.fileExists = (path) => path === name || fileExists(path);
    host.readFile = (path) => (path === name ? text : readFile(path));
    host.getSourceFile = (path, target) => ts.createSourceFile(path, host.readFile(path) ?? '', target);
    return ts
      .getPreEmitDiagnostics(ts.createProgram([name], options, host))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }

  it('have the fields and types of the Kubernetes API', () => {
    const [model] = manifests.filter(({ kind }) => kind === 'Deployment');
    const wrong = { ...model, metadata: { name: 1 } } as unknown as Manifest;
    const misspelt = { ...model, spek: {} } as unknown as Manifest;
    expect(errorsOf([...manifests, wrong, misspelt])).toEqual([
      "Type 'number' is not assignable to type 'string'.",
      expect.stringContaining('"spek"'),
    ]);
  });
});
