/** The columns of a file that are called like declared keys, or like their labels. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, importFile, send } from '../../support/imports.ts';
import { declare } from '../../support/metadata-fields.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

it('A value that may be meant in two ways is left out, and the warning says so', async () => {
  await declare(app, client, { key: 'seats', type: 'number' });
  await declare(app, client, { key: 'signed', type: 'date' });
  const file = csv(
    'name;email;seats;signed',
    'Ada;ada@example.net;1.250;03/04/2026',
    'Bob;bob@example.net;12;x',
  );
  const { id } = await importFile(app, client, file, 'start=true');
  const { body } = await client.get(`/imports/${id}/errors`).expect(200);
  expect(body.data.map(({ field, message }: Record<string, string>) => [field, message])).toEqual([
    ['metadata.seats', "It isn't clear whether 1.250 has thousands or decimals. It was kept as a note."],
    ['metadata.signed', "It isn't clear which number is the day and which the month. It was kept as a note."],
    ['metadata.signed', 'This is not a date such as 2027-01-31. It was kept as a note.'],
  ]);
});

it('A declared label decides, unless the name is clearly that of a field', async () => {
  // The importer knows most of these names, but leads have no field for them.
  const labels = {
    Mitarbeiter: 'employees',
    Branche: 'industry',
    Region: 'region',
    Newsletter: 'news',
    Position: 'job',
    'E-Mail-Opt-Out': 'no_mail',
    Datum: 'met_on',
    'Lead Score': 'fit',
    Firma: 'employer',
  };
  for (const [label, key] of Object.entries(labels)) await declare(app, client, { key, label, type: 'text' });
  const columns = ['Name', 'E-Mail', ...Object.keys(labels)];
  const file = csv(
    columns.join(';'),
    columns.map((_, n) => (n === 1 ? 'a@example.com' : `Text ${n}`)).join(';'),
  );
  const { mapping, doubts } = await send(client, file, 'start=false');
  expect([mapping, doubts]).toEqual([
    {
      Name: 'name',
      'E-Mail': 'email',
      Mitarbeiter: 'metadata.employees',
      Branche: 'metadata.industry',
      Region: 'metadata.region',
      Newsletter: 'metadata.news',
      Position: 'metadata.job',
      'E-Mail-Opt-Out': 'metadata.no_mail',
      Datum: 'metadata.met_on',
      'Lead Score': 'metadata.fit',
      Firma: 'company',
    },
    [],
  ]);
});
