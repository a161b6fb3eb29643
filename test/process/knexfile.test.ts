import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';
import { cleanUp, cli, isAlive, newDataDir, postmaster, preparedDataDir, run } from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });
afterAll(cleanUp);

async function knex(env: Record<string, string>, ...args: string[]) {
  const { output, exited } = run(process.execPath, ['node_modules/.bin/knex', ...args], env);
  return { code: await exited, text: output.stdout + output.stderr };
}

describe("Knex's own command line", () => {
  it('migrates an empty database of the environment, and labels it', async () => {
    const production = await createTestDatabase();
    const sandbox = await createTestDatabase('sandbox');
    try {
      await query(sandbox.url, 'drop schema public cascade; create schema public');
      const env = {
        DATABASE_URL: production.url,
        SANDBOX_DATABASE_URL: sandbox.url,
        SECRET_KEY: '0'.repeat(64),
      };
      const pending = await knex(env, '--env', 'sandbox', 'migrate:status');
      expect(pending).toMatchObject({ code: 0, text: expect.stringMatching(/15 Pending/) });
      const latest = await knex(env, '--env', 'sandbox', 'migrate:latest');
      expect(latest).toMatchObject({ code: 0, text: expect.stringMatching(/15 migrations/) });
      expect(await query(sandbox.url, 'select environment from database_label')).toEqual([
        { environment: 'sandbox' },
      ]);
      expect((await cli(env, 'check')).code).toBe(0);
    } finally {
      await Promise.all([production.drop(), sandbox.drop()]);
    }
  });

  it("refuses the other environment's database", async () => {
    const sandbox = await createTestDatabase('sandbox');
    try {
      const env = { DATABASE_URL: sandbox.url, ENVIRONMENTS: 'production', SECRET_KEY: '0'.repeat(64) };
      const { code, text } = await knex(env, 'migrate:latest');
      expect(code).toBe(1);
      expect(text).toContain("is labelled sandbox, and can't be used as the production one");
    } finally {
      await sandbox.drop();
    }
  });

  it('rolls nothing back: only npm run migrate:rollback does', async () => {
    const DATA_DIR = preparedDataDir();
    for (const args of [['migrate:rollback'], ['migrate:rollback', '--all'], ['migrate:down']]) {
      const { code, text } = await knex({ DATA_DIR }, ...args);
      expect(code).toBe(1);
      expect(text).toContain('Knex rolls nothing back. Run: npm run migrate:rollback');
    }
    const { text } = await knex({ DATA_DIR }, 'migrate:status');
    expect(text).toContain('No Pending Migration files Found.');
    // What starts the embedded PostgreSQL stops it.
    await vi.waitFor(() => expect(isAlive(postmaster(DATA_DIR) ?? 0)).toBe(false), 10_000);
  });

  it('makes the file of a migration without a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    try {
      const made = await knex(
        { DATA_DIR: newDataDir() },
        'migrate:make',
        'add_a_column',
        '--migrations-directory',
        folder,
      );
      expect(made.code).toBe(0);
      const [file = ''] = readdirSync(folder);
      expect(file).toMatch(/^\d{14}_add_a_column\.ts$/);
      expect(readFileSync(join(folder, file), 'utf8')).toMatch(/type { Knex }.*up\(.*down\(/s);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
