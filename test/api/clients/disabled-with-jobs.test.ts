/** What a client has queued ends when the client is disabled, chunk by chunk, and for good. Its webhooks are paused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { formInput, makeHook, send as sendTo } from '../../support/hooks.ts';
import { csv, readImport, send } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { endsOf, failed, newSubject, startAll, startDeletion, workAll } from '../../support/lost-access.ts';
import { addEvents, getReplay, startReplay } from '../../support/replays.ts';
import { make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  admin = await app.client(['read', 'write', 'admin']);
});

beforeEach(() => workAll(app));

afterAll(() => app.close());

describe('disabling a client', () => {
  it('ends its imports, jobs and replays, pauses its webhooks, and lists these and the hooks that go on', async () => {
    const { client, path } = await newSubject(app);
    const all = await startAll(app, client);
    const hook = await makeHook(client);
    const others = { webhook: await make(admin, webhooks), job: await startDeletion(app, admin, 1) };
    await runOnce(app.production);
    const { body } = await admin.post(`${path}/disable`).expect(200);
    const effects = {
      ending_jobs: [all.job.id, all.replay.id, all.started.id],
      paused_webhooks: [all.webhook.id],
      enabled_inbound_hooks: [hook.id],
    };
    expect(body.data).toMatchObject({ status: 'disabled', ...effects });
    await workAll(app);
    expect(await endsOf(admin, all)).toEqual(failed('client_disabled'));
    // The first chunk was done before.
    expect(await readJob(admin, all.job.id)).toMatchObject({
      rows_done: 500,
      failure: { code: 'client_disabled', message: 'The API client that started it was disabled.' },
    });
    const webhook = (await admin.get(`/webhooks/${all.webhook.id}`).expect(200)).body.data;
    expect(webhook).toMatchObject({ status: 'paused', version: 2 });
    expect((await admin.get(`/webhooks/${others.webhook.id}`).expect(200)).body.data.status).toBe('enabled');
    expect((await readJob(admin, others.job.id)).status).toBe('completed');
    await sendTo(app, hook, formInput()).expect(202);
    // Again, and after it was enabled.
    expect((await admin.post(`${path}/disable`).expect(200)).body.data).toMatchObject({
      ...effects,
      ending_jobs: [],
    });
    await admin.post(`${path}/enable`).expect(200);
    await workAll(app);
    expect(await endsOf(admin, all)).toEqual(failed('client_disabled'));
    expect((await admin.get(`/webhooks/${all.webhook.id}`).expect(200)).body.data.status).toBe('paused');
  });

  it('ends a replay although its webhook is paused, and its losses can be replayed by somebody else', async () => {
    const { client, path } = await newSubject(app);
    const webhook = await make(admin, webhooks);
    await addEvents(app, 2);
    const replay = await startReplay(client, webhook.id);
    await admin.patch(`/webhooks/${webhook.id}`, { status: 'paused' }).expect(200);
    await admin.post(`${path}/disable`).expect(200);
    await runJobs(app.production);
    expect(await getReplay(admin, replay)).toMatchObject({
      status: 'failed',
      failure: { code: 'client_disabled' },
      finished_at: expect.any(String),
    });
    const cancel = await admin.post(`/webhooks/${webhook.id}/replays/${replay.id}/cancel`).expect(409);
    expect(cancel.body.code).toBe('wrong_replay_status');
    await admin.patch(`/webhooks/${webhook.id}`, { status: 'enabled' }).expect(200);
    const next = await startReplay(admin, webhook.id);
    await runJobs(app.production);
    expect((await getReplay(admin, next)).status).toBe('completed');
  });

  it('as a dry run shows the same and changes nothing', async () => {
    const { client, path } = await newSubject(app);
    const webhook = await make(client, webhooks);
    const dry = admin.with({ 'Dry-Run': 'true' });
    const { body } = await dry.post(`${path}/disable`).expect(200);
    expect(body.data).toMatchObject({ status: 'disabled', paused_webhooks: [webhook.id] });
    expect((await client.get(`/webhooks/${webhook.id}`).expect(200)).body.data.status).toBe('enabled');
  });

  it('does not end an import that another client has started since', async () => {
    const { client, path } = await newSubject(app);
    const email = uniqueEmail();
    const { id } = await send(client, csv('name,email', `Ada,${email}`), 'start=false');
    await admin.post(`${path}/disable`).expect(200);
    await admin.post(`/imports/${id}/start`, {}).expect(202);
    await workAll(app);
    expect((await readImport(admin, id)).status).toBe('completed');
    const { data } = (await admin.get(`/leads?email=${email}`).expect(200)).body;
    const { client_id } = (await admin.get('/auth/me').expect(200)).body.data;
    expect((await eventsOf(admin, data[0].id))[0]?.actor).toMatchObject({ id: client_id });
  });

  it('ends the seeds and reassignments that it has started', async () => {
    const { client, path } = await newSubject(app);
    const user = await createUser(admin);
    await createLead(admin, { assigned_user_id: user });
    const { data } = (await client.post(`/users/${user}/reassign`, { to: null }).expect(202)).body;
    await admin.post(`${path}/disable`).expect(200);
    await workAll(app);
    expect((await readJob(admin, data.id)).failure?.code).toBe('client_disabled');
    const [seeder, sandboxAdmin] = [
      await app.client(['read', 'write'], 'sandbox'),
      await app.client(['read', 'admin'], 'sandbox'),
    ];
    const seeded = (await seeder.post('/sandbox/seed', { leads: 10 }).expect(202)).body.data;
    const { client_id } = (await seeder.get('/auth/me').expect(200)).body.data;
    await sandboxAdmin.post(`/clients/${client_id}/disable`).expect(200);
    await runJobs(app.sandbox);
    expect((await readJob(sandboxAdmin, seeded.id)).failure?.code).toBe('client_disabled');
    expect((await sandboxAdmin.get('/leads').expect(200)).body.meta.total).toBe(0);
  });
});
