/** Resources of every kind in the sandbox, so that Schemathesis finds something to read and to change. */

import { makeApiClient, makeApiKey } from '../support/api-clients.ts';
import type { TestApp } from '../support/app.ts';
import { doJob, seed } from '../support/bulk-jobs.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../support/factories.ts';
import { makeHook } from '../support/hooks.ts';
import { csv, importFile } from '../support/imports.ts';
import { startReplay } from '../support/replays.ts';
import { make } from '../support/resources.ts';
import { insertDelivery, webhooks } from '../support/webhooks.ts';

/** Returns what hooks.py reads from the environment. */
export async function fillSandbox(app: TestApp, client: TestClient) {
  const sandbox = { production: app.sandbox };
  await seed(app, client, { leads: 100 });
  await importFile(
    sandbox,
    client,
    csv('name,email', `Ada,${uniqueEmail()}`, 'Grace,nonsense'),
    'start=true',
  );
  await doJob(sandbox, client, {
    resource: 'leads',
    filter: { status: ['new'] },
    action: { update: { add_tags: ['x'] } },
  });
  const [lead, other] = [await createLead(client, { external_id: 'crm-4711' }), await createLead(client)];
  await client.post(`/leads/${lead.id}/merge`, { lead_id: other.id }).expect(200);
  await client.post('/notes', { lead_id: lead.id, text: 'Called back.' }).expect(201);
  const contact = await client.post('/contacts', { name: 'Ada', external_id: 'crm-4711' }).expect(201);
  await client.post('/notes', { contact_id: contact.body.data.id, text: 'Called back.' }).expect(201);
  const webhook = await make(client, webhooks);
  await insertDelivery(app.sandbox.knex, webhook.id);
  await startReplay(client, webhook.id);
  const hook = await makeHook(client);
  await client.post(`/hooks/${hook.token}`, { name: 'Ada', email: uniqueEmail() }).expect(202);
  await client.post(`/hooks/${hook.token}`, { name: 'Nobody' }).expect(202);
  await client.post('/erasures', { email: uniqueEmail() }).expect(201);
  const spare = await makeApiClient(client);
  await makeApiKey(client, spare.id);
  return {
    USER_ID: await createUser(client),
    HOOK_TOKEN: hook.token,
    HOOK_ID: hook.id,
    SPARE_HOOK_ID: (await makeHook(client)).id,
    SPARE_CLIENT_ID: spare.id,
  };
}
