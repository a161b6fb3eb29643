import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowFormats } from '../../../src/http/rows/formats.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, readDocument, success } from '../../support/document.ts';
import { exportRows, fetchExport, readCsv } from '../../support/exports.ts';
import { contacts, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /contacts/export', () => {
  it('gives every contact as it is read, the newest first, in both formats', async () => {
    const first = await make(client, contacts, { title: '=1', tags: ['vip'], metadata: { plan: 'gold' } });
    const second = await make(client, contacts, { phone: '+4915112345678' });
    expect(await exportRows(client, '/contacts/export')).toEqual([second, first]);
    const csv = await (await fetchExport(client, '/contacts/export')).text();
    expect(readCsv(csv)).toEqual([second, first]);
    expect(await exportRows(client, '/contacts/export?tag=vip')).toEqual([first]);
  });
});

describe('the example of CSV in the document', () => {
  it.each(['/contacts/export', '/leads/export', '/sales-cycles/export'])(
    'is that of NDJSON as the service writes it: %s',
    (path) => {
      const endpoint = endpoints(readDocument()).find((one) => one.path === path && one.method === 'get');
      const content = endpoint && success(endpoint)?.content;
      const { schema, examples = {} } = content?.['application/x-ndjson'] ?? { schema: {} };
      // Without what only `expand` adds.
      const { required } = schema as { required: string[] };
      const fields = required.flatMap((name) =>
        ['value', 'sales_cycle'].includes(name)
          ? Object.keys(schema.properties?.[name]?.properties ?? {}).map((member) => `${name}.${member}`)
          : [name],
      );
      const [row] = Object.values(examples);
      const csv = rowFormats['text/csv'];
      const text = csv.head(fields) + csv.line(row?.value as object, fields);
      expect(content?.['text/csv']?.example).toBe(text.replaceAll('\r\n', '\n'));
    },
  );
});
