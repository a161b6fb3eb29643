import type { Response } from 'supertest';
import type { TestClient } from './client.ts';
import { send, tooLargeFile, upload } from './imports.ts';

/** How each error of imports that the document shows as an example comes about. */
export const importCauses: Record<string, (services: { client: TestClient }) => PromiseLike<Response>> = {
  'The service answers in application/json or text/csv or application/x-ndjson. Your Accept header must allow that.':
    async ({ client }) => {
      const { id } = await send(client, 'name,email\nAda,ada@example.com\n', 'start=false');
      return client.with({ Accept: 'text/html' }).get(`/imports/${id}/errors`);
    },
  'rows.17: has 5 cells, but the file has 4 columns': ({ client }) =>
    upload(client, `a,b,c,d\n${'1,2,3,4\n'.repeat(15)}1,2,3,4,5\n`),
  'The file must not be larger than 200 MiB.': ({ client }) =>
    upload(client.with(tooLargeFile), 'name,email\n'),
};
