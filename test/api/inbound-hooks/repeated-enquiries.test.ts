/** The same message of a known person, sent by the same hook within ten minutes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf as typesIn } from '../../support/events.ts';
import { createLead } from '../../support/factories.ts';
import { formInput, makeHook, notesAbout, sendAndRead, sendIn } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const typesOf = async (leadId = '') => typesIn(await eventsOf(client, leadId));

it('gives neither a note nor an event', async () => {
  const hook = await makeHook(client);
  const form = formInput({ message: 'Please call me.' });
  const first = await sendAndRead(app, client, hook, form);
  const again = await sendAndRead(app, client, hook, { ...form, sent_at: '', utm_source: 'x' });
  expect(again).toMatchObject({ status: 'merged', notes: ['Please call me.'] });
  expect(again.warnings).toEqual([
    {
      field: 'note',
      message: 'The person sent the same message within ten minutes, so it has no second note.',
    },
  ]);
  expect(await typesOf(first.lead?.id)).not.toContain('lead.returned');
  const others = [
    await sendAndRead(app, client, hook, { ...form, message: 'Please call me!' }),
    await sendAndRead(app, client, await makeHook(client), form),
  ];
  for (const { warnings } of others) expect(warnings).toEqual([]);
  await app.production.knex.raw(
    `update notes set created_at = created_at - interval '11 minutes' where lead_id = ?`,
    [toUuid('lead', first.lead?.id ?? '') ?? ''],
  );
  const later = await sendAndRead(app, client, hook, { ...form, utm_source: 'y' });
  expect(later.warnings).toEqual([]);
  expect(later.notes).toHaveLength(4);
});

it('gives one of each if ten arrive at once', async () => {
  const lead = await createLead(client);
  const hook = await makeHook(client);
  const payload = (n: number) => ({
    email: lead.email,
    name: lead.name,
    message: 'Hello',
    utm_term: String(n),
  });
  await Promise.all(Array.from({ length: 10 }, (_, n) => sendIn(app, hook, payload(n))));
  expect(await notesAbout(client, lead.id)).toEqual(['Hello']);
  expect((await typesOf(lead.id)).filter((type: string) => type === 'lead.returned')).toHaveLength(1);
});
