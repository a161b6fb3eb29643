import type { Response } from 'supertest';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { importFile, send, tooLargeFile, upload } from './imports.ts';

/** Causes each import error that the document shows as an example. */
interface Services {
  app: TestApp;
  client: TestClient;
  others: Record<'limited' | 'full', { url: string }>;
}

export const importCauses: Record<string, (services: Services) => PromiseLike<Response>> = {
  'Too many requests: the class "write" allows N in 60 seconds. Try again in N seconds.': ({
    client,
    others,
  }) => upload(client.at(`${others.limited.url}/v1`), 'name,email\n'),
  'Your drafts, dry runs and queued imports take all the room that one client may use. Start or cancel some of them, or wait until the queued ones have run.':
    ({ client, others }) => upload(client.at(`${others.full.url}/v1`), 'name,email\n'),
  'The service answers in application/json or text/csv or application/x-ndjson. Your Accept header must allow that.':
    async ({ client }) => {
      const { id } = await send(client, 'name,email\nAda,ada@example.com\n', 'start=false');
      return client.with({ Accept: 'text/html' }).get(`/imports/${id}/errors`);
    },
  "This import can't be cancelled: it has already completed.": async ({ app, client }) => {
    const { id } = await importFile(app, client, 'name,email\nAda,ada@example.com\n');
    return client.post(`/imports/${id}/cancel`);
  },
  'Row 2 has 5 cells, but the file has 4 columns.': ({ client }) => upload(client, 'a,b,c,d\n1,2,3,4,5\n'),
  'The file must not be larger than 200 MiB.': ({ client }) =>
    upload(client.with(tooLargeFile), 'name,email\n'),
};
