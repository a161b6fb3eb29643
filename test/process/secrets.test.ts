/**
 * Secrets and personal data appear in no log. With full logging, the service runs through a journey with every kind of
 * them, in valid, invalid and interrupted requests. Then everything that it and its database wrote is searched.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { certificate, privateKey } from '../support/certificate.ts';
import { type Receiver, startReceiver } from '../support/deliveries.ts';
import {
  cleanUp,
  cli,
  cliJson,
  credentialsOf,
  failedStart,
  newDataDir,
  postmaster,
  preparedDataDir,
  type RunningServer,
  startServer,
  unlimited,
} from '../support/process.ts';
import { Journey, useCredentials, useHooks, usePeople } from '../support/secret-journey.ts';
import { leaks } from '../support/secrets.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const journey = new Journey();
const { secrets, refusals, statuses, secret } = journey;
const dataDir = preparedDataDir();
const env = {
  DATA_DIR: dataDir,
  LOG_LEVEL: 'trace',
  SECRET_KEY: secret('SECRET_KEY', randomBytes(32).toString('base64')),
  TLS_CERT_FILE: join(dataDir, 'cert.pem'),
  TLS_KEY_FILE: join(dataDir, 'key.pem'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  REDIS_URL: `redis://:${secret('password of Redis')}@127.0.0.1:1`,
  ...unlimited,
};
writeFileSync(env.TLS_CERT_FILE, certificate);
writeFileSync(env.TLS_KEY_FILE, privateKey);
for (const [number, line] of privateKey.split('\n').slice(1, -1).entries())
  secret(`TLS key, line ${number}`, line);

let server: RunningServer;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver((_, res) => res.writeHead(500).end(secret("receiver's answer")));
});

afterAll(async () => {
  await receiver.close();
  await cleanUp();
});

/** Database faults: errors that quote the row, and a crash. */
async function breakDatabase(own: Record<string, string>, lead: string): Promise<void> {
  const password = journey.secret(
    'password of the database',
    readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim(),
  );
  const [, , , port] = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  const db = new pg.Client({
    connectionString: `postgres://lead_pipeline:${password}@127.0.0.1:${port}/lead_pipeline_production`,
  });
  db.on('error', () => {});
  await db.connect();
  await db.query(`create function fail() returns trigger language plpgsql as $$ begin
    raise exception 'No: %', row_to_json(new) using errcode = 'XX001', detail = row_to_json(new)::text; end $$`);
  await db.query('create trigger fail before update on leads for each row execute function fail()');
  expect(
    (await journey.ask('PATCH', lead, own, { company: journey.secret('company in a fault') })).status,
  ).toBe(500);
  await db.query('drop function fail() cascade');
  await db.query('alter table contacts add constraint fail check (name is null)');
  expect(
    (await journey.ask('POST', '/contacts', own, { name: journey.secret('name in a constraint') })).status,
  ).toBe(500);
  await db.query('alter table contacts drop constraint fail');
  await db.end();
  const write = () =>
    journey.ask('POST', '/contacts', own, { name: journey.secret('name during an outage') });
  // The service starts PostgreSQL again at once, so only what is under way fails.
  const outage = async () => {
    const server = postmaster(dataDir);
    const writes = Array.from({ length: 10 }, write);
    if (server !== undefined) process.kill(server, 'SIGKILL');
    return (await Promise.all(writes)).map(({ status }) => status);
  };
  await vi.waitFor(async () => expect(await outage()).toContain(503), { timeout: 30_000, interval: 200 });
  await vi.waitFor(async () => expect((await write()).status).toBe(201), { timeout: 30_000, interval: 200 });
}

describe('secrets and personal data', () => {
  it("are in no log of the service or PostgreSQL, in no error response and in no command's list", async () => {
    server = await startServer({ ...env, PORT: String(await freePort()) });
    journey.url = server.url;
    const { production, sandbox } = credentialsOf(dataDir);
    const create = ['clients', 'create', '--environment', 'production', '--name', 'Ops', '--scopes', 'admin'];
    const operator = (await cliJson(env, ...create)) as { client_id: string; client_secret: string };
    for (const [of, { client_secret }] of Object.entries({ production, sandbox, operator })) {
      secret(`secret of ${of}`, client_secret);
    }
    const own = await useCredentials(journey, production, operator);
    const lead = await usePeople(journey, own);
    await useHooks(journey, own, receiver);
    const lists: Record<string, string> = {};
    for (const what of ['clients', 'keys']) {
      const { stdout, stderr } = await cli(env, what, 'list', '--environment', 'production');
      lists[`${what} list`] = stdout + stderr;
    }
    await breakDatabase(own, lead);
    await journey.tokenOf(production, 'token after an outage');
    expect(await server.stop()).toBe(0);

    const { stdout, stderr } = server.output;
    const postgres = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(leaks(secrets, { ...lists, stdout, stderr, 'the log of PostgreSQL': postgres })).toEqual([]);
    expect(stderr).not.toMatch(/postgres(ql)?:\/\/|[?&]\w+=/);
    for (const line of server.log())
      expect(line).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
    // A rejection names the field or parameter that the request must not have.
    const unnamed = new Map([...secrets].filter(([what]) => !['field', 'parameter'].includes(what)));
    expect(leaks(unnamed, refusals)).toEqual([]);

    // The journey really happened, and the search would find a leak.
    expect([...statuses].toSorted()).toEqual(
      expect.arrayContaining([200, 201, 202, 400, 401, 403, 404, 412, 422, 500, 503]),
    );
    expect(secrets.size).toBeGreaterThan(60);
    expect(stderr).toContain('"operation":"createToken"');
    expect(stderr).toContain('XX001');
    expect(postgres).toMatch(/database system is ready/);
    for (const value of secrets.values()) {
      for (const text of [value, Buffer.from(`id:${value}`).toString('base64'), encodeURIComponent(value)]) {
        expect(leaks(new Map([['it', value]]), { a: `{"x":"${text}"}` })).toEqual(['it in a']);
      }
    }
  });

  it('are not printed by a failed start or command', async () => {
    const password = secret('password in DATABASE_URL');
    const wrong = {
      DATA_DIR: newDataDir(),
      DATABASE_URL: `postgres://api:${password}@127.0.0.1:1/leads`,
      SANDBOX_DATABASE_URL: `postgres://api:${password}@127.0.0.1:1/sandbox`,
      SECRET_KEY: env.SECRET_KEY,
      LOG_LEVEL: 'trace',
      DATABASE_WAIT_SECONDS: '1',
    };
    const outputs = {
      'a start without its database': await failedStart(wrong),
      'a start with a wrong SECRET_KEY': await failedStart({
        ...wrong,
        SECRET_KEY: secret('wrong SECRET_KEY'),
      }),
      'a start with a wrong DATABASE_URL': await failedStart({
        ...wrong,
        DATABASE_URL: `mysql://api:${password}@x/y`,
      }),
      'a command without its database': await cli(wrong, 'clients', 'list', '--environment', 'production'),
    };
    for (const [where, { code, stdout, stderr }] of Object.entries(outputs)) {
      expect([where, code]).toEqual([where, 1]);
      expect(stderr.length).toBeGreaterThan(20);
      expect(leaks(secrets, { [where]: stdout + stderr })).toEqual([]);
    }
  });
});
