/** Whose file is imported next. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { csv, readImport, send } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

beforeEach(() => runJobs(app.production));

afterAll(() => app.close());

async function startImport(client: TestClient, rows: number): Promise<() => Promise<number>> {
  const lines = Array.from({ length: rows }, () => `Ada,${uniqueEmail()}`);
  const { id } = await send(client, csv('name,email', ...lines), 'start=true');
  return async () => (await readImport(client, id)).rows_done;
}

describe('imports of several clients', () => {
  it('take turns: one row does not wait for all rows of another client', async () => {
    const [one, two] = [await app.client(), await app.client()];
    const large = await startImport(one, 800);
    const next = await startImport(one, 1);
    await runOnce(app.production);
    const small = await startImport(two, 1);
    const done = () => Promise.all([large(), next(), small()]);
    expect(await done()).toEqual([250, 0, 0]);
    for (let step = 0; step < 2; step += 1) await runOnce(app.production);
    expect(await done()).toEqual([500, 0, 1]);
    for (let step = 0; step < 2; step += 1) await runOnce(app.production);
    expect(await done()).toEqual([800, 0, 1]);
    await runOnce(app.production);
    expect(await done()).toEqual([800, 1, 1]);
  });

  it('take turns even if one client has many small files', async () => {
    const [one, two] = [await app.client(), await app.client()];
    const large = await startImport(one, 700);
    const small = [];
    for (let file = 0; file < 4; file += 1) small.push(await startImport(two, 1));
    for (let step = 0; step < 6; step += 1) await runOnce(app.production);
    expect(await Promise.all([large, ...small].map((done) => done()))).toEqual([700, 1, 1, 1, 0]);
  });
});
