/** Several rows of one file about the same record. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { csv, errorsOf, importFile } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const tellsRow = (row: number, earlier: number) => ({
  row,
  severity: 'warning',
  code: 'repeated_row',
  field: null,
  column: null,
  message: `Row ${earlier} of this file is about the same record. Both were applied, in their order.`,
});

/** Rows enough that the last one is in another chunk than the first. */
const others = (name: string) =>
  Array.from({ length: 300 }, (_, index) => `Filler,${name}-${index}@example.com,`);

it.each(['merge', 'update', 'ignore'])(
  'a later row about the same lead is a warning that names the first one, with %s, tried or not',
  async (on_duplicate) => {
    const email = `${on_duplicate}@example.com`;
    const file = csv(
      'name,email,company',
      `Ada,${email},Engines`,
      `Ada,${email.toUpperCase()},Looms`,
      ...others(on_duplicate),
      `Ada,${email},Mills`,
    );
    for (const dryRun of ['&dry_run=true', '']) {
      const { id, counts } = await importFile(app, client, file, `on_duplicate=${on_duplicate}${dryRun}`);
      expect(counts).toMatchObject({ created: 301, failed: 0, warned: 2 });
      const warnings = await errorsOf(client, id);
      expect(warnings).toHaveLength(2);
      expect(warnings).toEqual(
        expect.arrayContaining([
          expect.objectContaining(tellsRow(3, 2)),
          expect.objectContaining(tellsRow(304, 2)),
        ]),
      );
    }
  },
);

it('an existing lead counts too, in a dry run across chunks as well', async () => {
  const { email } = await createLead(client);
  const file = csv('name,email,company', `Ada,${email},A`, ...others('existing'), `Ada,${email},B`);
  for (const dryRun of ['&dry_run=true', '']) {
    const { id, counts } = await importFile(app, client, file, `on_duplicate=update${dryRun}`);
    expect(counts).toMatchObject({ created: 300, updated: 2, warned: 1 });
    expect(await errorsOf(client, id)).toMatchObject([tellsRow(303, 2)]);
  }
});

it('rows about different leads have no such warning, and a second import of the file has none', async () => {
  const file = csv('name,email', 'Ada,one@example.com', 'Bob,two@example.com');
  for (let times = 0; times < 2; times += 1)
    expect((await importFile(app, client, file, 'on_duplicate=update')).counts).toMatchObject({ warned: 0 });
});
