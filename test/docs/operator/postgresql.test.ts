import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../../../src/process/free-port.ts';
import { openChapter } from '../../support/chapter.ts';
import { query } from '../../support/embedded.ts';
import { blocksOf, readPage } from '../../support/markdown.ts';
import { expectRefusal, expectSuccess, missingAt, Operator } from '../../support/operator.ts';
import { MISSING, type Pooler, runPgBouncer } from '../../support/pgbouncer.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/postgresql.md');
const page = readPage('docs/postgresql.md');
const [create = ''] = blocksOf(page, 'Databases and role', 'sql');
const migrate = chapter.block('Databases and role');
const [pooled = ''] = blocksOf(page, 'Poolers', 'ini');
const [limits = ''] = blocksOf(page, 'Poolers', 'sql');
const [settings = ''] = blocksOf(page, 'Poolers', 'text');

let operator: Operator;
let pooler: Pooler | undefined;

beforeEach(async ({ skip }) => {
  const reason = missingAt("Debian's PostgreSQL 15") ?? MISSING;
  if (reason !== undefined) skip(reason);
  operator = await Operator.withEmptyServer();
  // On a terminal, \password asks twice.
  const quoted = create.replace('\\password api', "ALTER ROLE api PASSWORD 'secret';");
  expect(quoted).not.toBe(create);
  operator.env.CREATE = quoted;
});

afterEach(async () => {
  await pooler?.close();
  pooler = undefined;
  await operator?.leave();
});

/** As psql runs what is pasted: it goes on after an error. */
const psql = (sql: string) => `psql ${operator.url('postgres')} <<'SQL'\n${sql}\nSQL`;

const own = () => ({
  DATABASE_URL: operator.url('leads').replace('tester', 'api:secret'),
  SANDBOX_DATABASE_URL: operator.url('leads_sandbox').replace('tester', 'api:secret'),
  SECRET_KEY: randomBytes(32).toString('base64'),
});

it('the role and the databases are made once, and suffice for the migrations', async () => {
  const made = await operator.paste(psql(operator.env.CREATE ?? ''));
  expect(made.stderr).toBe('');
  expect(made.changes.filter((change) => change.endsWith(': new'))).toEqual([
    'database leads: new',
    'database leads_sandbox: new',
    'role api: new',
  ]);
  const again = await operator.paste(psql(operator.env.CREATE ?? ''));
  expect(again.changes).toEqual([]);
  expect(again.stderr.match(/already exists/g)).toHaveLength(3);
  expectSuccess(await operator.run(migrate, { env: own(), times: 2 }));
});

it('while a privilege is missing, migrate changes nothing, and prints commands that suffice', async () => {
  await operator.run(psql(operator.env.CREATE ?? ''));
  for (const name of ['leads', 'leads_sandbox']) {
    await query(operator.url('postgres'), `alter database ${name} owner to tester`);
    await query(operator.url('postgres'), `revoke all on database ${name} from public`);
  }
  const grants: string[] = [];
  for (let { status } = { status: 1 }; status !== 0 && grants.length < 20; ) {
    const ended = await operator.paste(migrate, { env: own() });
    ({ status } = ended);
    if (status === 0) break;
    expect(ended.changes).toEqual([]);
    const [, fault = ''] = /leads_sandbox\.\n(.*)/s.exec(ended.stderr) ?? [];
    const database = fault.includes('sandbox') ? 'leads_sandbox' : 'leads';
    // The operator fills in what the message leaves open.
    const commands = [...fault.matchAll(/\b(GRANT|CREATE EXTENSION)\b[^;]*;/g)].map(([command]) =>
      command.replace('DATABASE … TO …', `DATABASE ${database} TO api`),
    );
    expect(commands, fault).not.toEqual([]);
    for (const command of new Set(commands)) {
      grants.push(command);
      await query(operator.url(database), command);
    }
  }
  expect(grants.length).toBeGreaterThan(6);
});

it('behind PgBouncer, a start without the limits of the role changes nothing, and with them it works', async () => {
  await operator.run(psql(operator.env.CREATE ?? ''));
  const port = await freePort();
  const server = new URL(operator.url('leads')).port;
  const ini = pooled
    .replaceAll('host=db.example.com port=5432', `host=127.0.0.1 port=${server}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/userlist.txt', 'FOLDER/userlist.txt');
  pooler = await runPgBouncer(port, ini, { 'userlist.txt': '"api" "secret"\n' });
  const names = [...settings.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = '', url = '']) => [
    name,
    url
      .replace('api:password', 'api:secret')
      .replace('pooler:6432', `127.0.0.1:${port}`)
      .replace('db.example.com:5432', `127.0.0.1:${server}`),
  ]);
  expect(names).toHaveLength(4);
  const env = { ...own(), ...Object.fromEntries(names) };
  const refused = await operator.paste(migrate, { env });
  expectRefusal(refused, /Behind a pooler, the service's time limits must be set on its role\./);
  for (const line of limits.trim().split('\n')) expect(refused.stderr).toContain(line);
  const limited = await operator.paste(psql(limits.repeat(2)));
  expect(limited).toMatchObject({ status: 0, stderr: '', changes: ['role api: changed'] });
  await pooler.close();
  pooler = await runPgBouncer(port, ini, { 'userlist.txt': '"api" "secret"\n' });
  const env2 = { ...env, DATABASE_DIRECT_URL: '', SANDBOX_DATABASE_DIRECT_URL: '' };
  expectRefusal(
    await operator.paste(migrate, { env: env2 }),
    /can't run through a pooler: set DATABASE_DIRECT_URL/,
  );
  expectSuccess(await operator.run(migrate, { env }));
});
