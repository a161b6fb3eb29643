/** `data backup` with the operator's own PostgreSQL. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { manifestOf } from '../../support/backups.ts';
import { bin, hasDebianPostgres } from '../../support/debian-postgres.ts';
import { expectRefusal, expectSuccess, Operator } from '../../support/operator.ts';
import { cleanUp } from '../../support/process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const backUp = 'bin/lead-pipeline data backup ~/leads.backup';
let operator: Operator;

beforeEach(async () => {
  operator = await Operator.at("Debian's PostgreSQL 15");
});

afterEach(async () => {
  await cleanUp();
  await operator.leave();
});

afterAll(cleanUp);

describe.skipIf(!hasDebianPostgres)('a backup', () => {
  it('is one file with both databases, without the secret key, that only its owner can read', async () => {
    const made = await operator.paste(backUp);
    expectSuccess(made);
    expect(made.changes).toEqual(['file ~/leads.backup: new']);
    const file = join(operator.home, 'leads.backup');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const { kind, environments, secret_keys } = manifestOf(file);
    expect([kind, environments.production?.tables.leads, environments.sandbox?.tables.leads]).toEqual([
      'own',
      2,
      1,
    ]);
    expect(made.stderr).toContain(`does not include SECRET_KEY (fingerprint ${secret_keys[0]})`);
    expect(made.stdout).toMatch(/^ {2}leads +2 +1$/m);
    expectRefusal(await operator.paste(backUp), /exists, and a backup never replaces a file/);
  });

  it("passes no password in a program's arguments", async () => {
    const folder = join(operator.home, 'bin');
    mkdirSync(folder);
    for (const name of ['pg_dump', 'pg_restore']) {
      const log = join(operator.home, 'arguments');
      writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" >> ${log}\nexec ${bin}/${name} "$@"\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const url = operator.env.DATABASE_URL?.replace('api@', 'api:p%40ss@') ?? '';
    expectSuccess(await operator.run(`${backUp} --pg-bin ~/bin`, { env: { DATABASE_URL: url } }));
    const { stdout } = await operator.run('cat ~/arguments');
    expect(stdout).toMatch(/--dbname=postgres:\/\/api@127/);
    expect(stdout).not.toMatch(/p%40ss|p@ss/);
  });

  it.each([
    [
      'are too old',
      'echo "pg_dump (PostgreSQL) 14.9"',
      /pg_dump of PostgreSQL 15 or newer is needed, but \S+ has version 14\. Install it .+ --pg-bin\.\n$/,
    ],
    [
      'are missing',
      undefined,
      /pg_dump of PostgreSQL 15 or newer is needed, and none was found\. Install it/,
    ],
  ])('says what to install if the tools %s', async (_what, script, why) => {
    const folder = join(operator.home, 'bin');
    mkdirSync(folder);
    if (script !== undefined)
      writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    expectRefusal(await operator.paste(`${backUp} --pg-bin ~/bin`), why);
  });

  it('is refused with another SECRET_KEY, and with the databases of the two environments swapped', async () => {
    expectSuccess(await operator.run('bin/lead-pipeline signing-keys rotate --environment production'));
    expectRefusal(await operator.paste(backUp, { env: { SECRET_KEY: 'ab'.repeat(32) } }), /does not decrypt/);
    const { DATABASE_URL = '', SANDBOX_DATABASE_URL = '' } = operator.env;
    const swapped = { DATABASE_URL: SANDBOX_DATABASE_URL, SANDBOX_DATABASE_URL: DATABASE_URL };
    expectRefusal(await operator.paste(backUp, { env: swapped }), /is labelled sandbox/);
  });
});
