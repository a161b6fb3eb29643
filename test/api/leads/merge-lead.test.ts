/** What merging means for leads only: their status, value, history and what refers to them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { makeHook } from '../../support/hooks.ts';
import { csv, errorsOf, importFile } from '../../support/imports.ts';
import { contacts, content, make } from '../../support/resources.ts';
import { cyclesOf } from '../../support/sales-cycles.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const merge = (stays: { id: string }, other: { id: string }) =>
  client.post(`/leads/${stays.id}/merge`, { lead_id: other.id });
const change = async (lead: { id: string }, patch: object) =>
  (await client.patch(`/leads/${lead.id}`, patch).expect(200)).body.data;
const changesOf = async (lead: { id: string }) =>
  (await client.get(`/leads/${lead.id}/status-changes`).expect(200)).body.data;

describe('POST /leads/{id}/merge', () => {
  it('fills the links, the value as a whole, and the expected close', async () => {
    const { id: content_id } = await make(client, content);
    const other = await createLead(client, {
      ...{ content_id, source_detail: 'Trade show Berlin', expected_close_on: '2027-01-31' },
      value: { amount: '1250.00', currency: 'EUR' },
    });
    const { body: conversion } = await client.post(`/leads/${other.id}/convert`, {}).expect(201);
    const { body } = await merge(await createLead(client), other).expect(200);
    expect(body.data).toMatchObject({
      ...{ content_id, contact_id: conversion.data.contact.id, source_detail: 'Trade show Berlin' },
      ...{ value: { amount: '1250.00', currency: 'EUR' }, expected_close_on: '2027-01-31', source: 'api' },
    });
    const own = await createLead(client, { value: { amount: '1', currency: 'JPY' } });
    const another = await createLead(client, { value: { amount: '5.00', currency: 'EUR' } });
    const kept = await merge(own, another).expect(200);
    expect(kept.body.data.value).toEqual({ amount: '1', currency: 'JPY' });
  });

  it('is open if one of them is, in its own cycle if both are', async () => {
    const value = { amount: '5.00', currency: 'EUR' };
    const won = await createLead(client, { status: 'won', value: { amount: '10.00', currency: 'EUR' } });
    const open = await createLead(client, { status: 'contacted', value, expected_close_on: '2027-01-31' });
    const { body } = await merge(won, open).expect(200);
    expect(body.data).toMatchObject({
      ...{ status: 'contacted', value, expected_close_on: '2027-01-31', created_at: won.created_at },
      ...{ status_changed_at: open.status_changed_at, sales_cycles_won: 1 },
      sales_cycle: { id: open.sales_cycle.id, number: 2 },
    });
    const cycles = await cyclesOf(client, won);
    expect(cycles.map(({ status, value }) => [status, value?.amount])).toEqual([
      ['won', '10.00'],
      ['contacted', '5.00'],
    ]);
    const moves = await changesOf(won);
    expect(moves.map(({ to }: { to: string }) => to)).toEqual(['contacted', 'won']);
    const [one, other] = [await createLead(client), await createLead(client, { status: 'qualified', value })];
    const both = await merge(one, other).expect(200);
    expect(both.body.data).toMatchObject({ status: 'new', value, sales_cycle: one.sales_cycle });
    expect(await cyclesOf(client, one)).toHaveLength(1);
    const cyclesOfChanges = (await changesOf(one)).map(
      (each: { sales_cycle_id: string }) => each.sales_cycle_id,
    );
    expect(cyclesOfChanges).toEqual([one.sales_cycle.id, one.sales_cycle.id]);
    const third = await createLead(client);
    await merge(third, await createLead(client, { status: 'lost' })).expect(200);
    expect((await cyclesOf(client, third)).map(({ number, status }) => [number, status])).toEqual([
      [1, 'new'],
      [2, 'lost'],
    ]);
    expect((await change(third, { status: 'won' })).sales_cycle).toEqual(third.sales_cycle);
  });

  it('keeps all closed cycles, and shows the one that was closed last', async () => {
    const lost = await createLead(client, { status: 'lost', lost_reason: 'No budget' });
    const won = await createLead(client, { status: 'won', value: { amount: '10.00', currency: 'EUR' } });
    const { body } = await merge(lost, won).expect(200);
    const { first_lost_at, status_changed_at } = body.data;
    expect(body.data).toMatchObject({
      ...{ status: 'won', lost_reason: null, created_at: lost.created_at, value: won.value },
      ...{ sales_cycle: { id: won.sales_cycle.id, number: 2 }, sales_cycles_won: 1 },
    });
    expect([first_lost_at, status_changed_at]).toEqual([lost.first_lost_at, won.status_changed_at]);
    expect((await cyclesOf(client, lost)).map(({ status }) => status)).toEqual(['lost', 'won']);
    const earlier = await createLead(client, { status: 'won' });
    const later = await createLead(client, { status: 'lost', lost_reason: 'Price' });
    const kept = await merge(later, earlier).expect(200);
    expect(kept.body.data).toMatchObject({ status: 'lost', lost_reason: 'Price', sales_cycles_won: 1 });
    expect(kept.body.data.sales_cycle).toEqual({ ...later.sales_cycle, number: 2 });
  });

  it('makes one history of both, with the earlier first times', async () => {
    const stays = await createLead(client);
    const other = await change(await createLead(client), { status: 'contacted' });
    const later = await change(stays, { status: 'qualified' });
    const { body } = await merge(stays, other).expect(200);
    expect(body.data).toMatchObject({
      first_contacted_at: other.first_contacted_at,
      first_qualified_at: later.first_qualified_at,
    });
    const history = await changesOf(stays);
    expect(
      history.map(({ from, to, merged_from }: Record<string, string>) => [from, to, merged_from]),
    ).toEqual([
      ['new', 'qualified', null],
      ['new', 'contacted', other.id],
      [null, 'new', other.id],
      [null, 'new', null],
    ]);
    const third = await createLead(client);
    await merge(third, stays).expect(200);
    const all = await changesOf(third);
    expect(all.map(({ merged_from }: { merged_from: string }) => merged_from)).toEqual([
      null,
      ...[stays.id, other.id, other.id, stays.id],
    ]);
  });

  it('measures the next status by its own, not by a later one of the other', async () => {
    const stays = await change(await createLead(client), { status: 'contacted' });
    const other = await change(await createLead(client), { status: 'contacted' });
    await app.production
      .knex('leads')
      .where('id', uuidOf(stays.id))
      .update({ status_changed_at: '2026-01-01T00:00:00Z' });
    await app.production
      .knex('lead_status_changes')
      .where({ lead_id: uuidOf(stays.id), to_status: 'contacted' })
      .update({ changed_at: '2026-01-01T00:00:00Z' });
    await merge(stays, other).expect(200);
    const { status_changed_at } = await change(stays, { status: 'won' });
    const [last] = await changesOf(stays);
    const seconds = Math.floor((Date.parse(status_changed_at) - Date.parse('2026-01-01T00:00:00Z')) / 1000);
    expect(last).toMatchObject({ from: 'contacted', to: 'won', seconds_in_previous_status: seconds });
  });

  it('moves what inbound hooks and imports say about it', async () => {
    const stays = await createLead(client);
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const sent = await client.post(`/hooks/${hook.token}`, { name: 'Ada', email }).expect(202);
    const path = `/inbound-hooks/${hook.id}/deliveries/${sent.body.data.delivery_id}`;
    const { body: before } = await client.get(path).expect(200);
    await merge(stays, { id: before.data.lead_id }).expect(200);
    const { body: after } = await client.get(path).expect(200);
    expect(after.data).toMatchObject({ lead_id: stays.id, version: before.data.version + 1 });

    const external_id = randomUUID();
    const file = csv('name,email,external_id', `Ada,${uniqueEmail()},${external_id}`);
    const { id } = await importFile(app, client, file);
    const { body: found } = await client.get(`/leads/external/${external_id}`).expect(200);
    await merge(stays, found.data).expect(200);
    const { body: rows } = await client.get(`/imports/${id}/rows`).expect(200);
    expect(rows.data[0].id).toBe(stays.id);
  });

  it('tells batches and imports where the lead went', async () => {
    const stays = await createLead(client, { external_id: randomUUID() });
    const external_id = randomUUID();
    const other = await createLead(client, { external_id });
    await merge(stays, other).expect(200);
    const failed = { status: 'failed', code: 'merged', merged_into: stays.id };
    const gone = { status: 'not_found', merged_into: stays.id };
    const update = await client.post('/leads/batch/update', {
      items: [{ id: other.id, patch: { name: 'X' } }],
    });
    expect(update.body.data[0]).toMatchObject({
      ...failed,
      errors: { id: [`id was merged into ${stays.id}.`] },
    });
    const item = { external_id, name: 'X', email: uniqueEmail() };
    const upsert = await client
      .post('/leads/batch/upsert', { match: 'external_id', items: [item] })
      .expect(200);
    expect(upsert.body.data[0]).toMatchObject({ ...failed, errors: { external_id: [expect.any(String)] } });
    const deletion = await client.post('/leads/batch/delete', { ids: [other.id] }).expect(200);
    expect(deletion.body.data[0]).toMatchObject({ ...gone, id: other.id });
    for (const body of [{ ids: [other.id] }, { external_ids: [external_id] }]) {
      const answer = await client.post('/leads/batch/read', body).expect(200);
      expect(answer.body.data[0]).toEqual({ index: 0, ...gone });
    }
    const file = csv('name,email,external_id', `Ada,${uniqueEmail()},${external_id}`);
    const { id } = await importFile(app, client, file, 'match=external_id&on_duplicate=update');
    const [error] = await errorsOf(client, id);
    expect(error).toMatchObject({ code: 'merged', field: 'external_id' });
    expect(error?.message).toContain(stays.id);
  });
});

describe('POST /contacts/{id}/merge', () => {
  it('moves the leads, and fills the email and the title', async () => {
    const stays = await make(client, contacts, { email: null });
    const other = await make(client, contacts, { title: 'Chief Engineer' });
    const lead = await createLead(client);
    await client.post(`/leads/${lead.id}/convert`, { contact_id: other.id }).expect(201);
    const { body: log } = await client.get('/events?cursor=latest').expect(200);
    const { body } = await client.post(`/contacts/${stays.id}/merge`, { contact_id: other.id }).expect(200);
    expect(body.data).toMatchObject({ email: other.email, title: 'Chief Engineer' });
    const moved = await client.get(`/leads?contact_id=${stays.id}`).expect(200);
    expect(moved.body.data).toMatchObject([{ id: lead.id, version: 3 }]);
    const { body: events } = await client.get(`/events?cursor=${log.meta.next_cursor}`).expect(200);
    expect(events.data[0]).toMatchObject({
      type: 'lead.updated',
      data: { changes: { contact_id: { from: other.id, to: stays.id } } },
    });
  });
});
