/** What a lead does not take is left out, and kept as a warning and a note. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import {
  formInput,
  fullMapping,
  leadsOf,
  makeHook,
  readDelivery,
  sendAndRead,
  sendIn,
} from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('A lead is never lost over an optional field', () => {
  it.each<[string, object, string]>([
    ['phone', { phone: '12 ab' }, 'phone'],
    ['phone of 10,000 digits', { phone: '1'.repeat(10_000) }, 'phone'],
    ['phone that is an object', { phone: { full: '+49 151 1234567' } }, 'phone'],
    ['company that is too long', { company: 'x'.repeat(5_000) }, 'company'],
    ['status that is not ours', { status: 'Open - Not Contacted' }, 'status'],
    ['unknown owner', { owner: 'user_01h455vb4pex5vsknk084sn02q' }, 'assigned_user_id'],
    ['owner that is no id', { owner: 'Bob' }, 'assigned_user_id'],
    ['unknown content', { page: 'content_01h455vb4pex5vsknk084sn02q' }, 'content_id'],
    ['id that is too long', { id: 'x'.repeat(500) }, 'external_id'],
    ['reason without the status lost', { reason: 'No budget' }, 'lost_reason'],
    ['amount that is none', { amount: 'about ten', currency: 'EUR' }, 'value.amount'],
    ['amount beyond the limit', { amount: '9'.repeat(30), currency: 'EUR' }, 'value.amount'],
    ['unknown currency', { amount: '10', currency: 'XQZ' }, 'value.currency'],
    ['date that is none', { by: 'soon' }, 'expected_close_on'],
    ['source detail that is too long', { source_detail: 'x'.repeat(500) }, 'source_detail'],
    ['tag that is too long', { tags: ['vip', 'x'.repeat(500)] }, 'tags'],
    ['metadata that is too long', { plan: 'x'.repeat(2_000) }, 'metadata.plan'],
  ])('%s', async (_what, fields, field) => {
    const hook = await makeHook(client, { mapping: fullMapping });
    const { status, warnings, notes, lead } = await sendAndRead(app, client, hook, formInput(fields));
    expect(status).toBe('created');
    expect(lead).toMatchObject({ name: 'Ada Lovelace', status: 'new', phone: null });
    const warned = warnings.map((warning) => warning.field.replace(/\.\d+$/, ''));
    expect(warned).toContain(field);
    for (const { message } of warnings) expect(message).toMatch(/^[\p{L}].*\.$/u);
    // The metadata has the original status.
    expect(notes).toHaveLength(field === 'status' ? 0 : 1);
  });

  it.each<[string, object]>([
    ['null', { phone: null, company: null, tags: null, plan: null }],
    ['empty texts', { phone: '', company: '  ', tags: [], plan: '' }],
    ['empty lists and objects', { phone: [], company: {}, tags: [[]], plan: [{}] }],
    ['what systems write for nothing', { phone: 'N/A', company: 'NULL', tags: '-', plan: 'null' }],
  ])('nothing is said about %s', async (_what, fields) => {
    const hook = await makeHook(client, { mapping: fullMapping });
    const { status, warnings, lead, notes } = await sendAndRead(app, client, hook, formInput(fields));
    expect(status).toBe('created');
    expect({ warnings, notes }).toEqual({ warnings: [], notes: [] });
    expect(lead).toMatchObject({ phone: null, company: null, tags: [], metadata: {} });
  });

  it('keeps what was left out as one readable note, with the message first', async () => {
    const hook = await makeHook(client, { mapping: fullMapping });
    const form = formInput({ message: 'Please call me back.', phone: '12 ab', by: 'soon' });
    const { notes, warnings } = await sendAndRead(app, client, hook, form);
    expect(notes).toHaveLength(1);
    const [message, , ...lines] = (notes[0] ?? '').split('\n');
    expect(message).toBe('Please call me back.');
    expect(lines.toSorted()).toEqual(['Expected close on: soon', 'Phone: 12 ab']);
    expect(warnings.map(({ field }) => field).toSorted()).toEqual(['expected_close_on', 'phone']);
  });

  it.each([
    ['numbers', 4711, '4711'],
    ['booleans', true, 'true'],
    ['direction marks', '\u202eAda\u202c \u200bExample\u200f', 'Ada Example'],
    ['spaces', '  Ada \n\t Example  ', 'Ada Example'],
    ['lists', [null, '', 'Ada Example', 'Other'], 'Ada Example'],
  ])('reads %s as a name', async (_what, name, expected) => {
    const { lead } = await sendAndRead(app, client, await makeHook(client), {
      ...formInput(),
      name,
    } as never);
    expect(lead?.name).toBe(expected);
  });

  it.each([
    ['no address', { email: 'ada at example' }, 'email'],
    ['a domain without a dot', { email: 'ada@localhost' }, 'email'],
  ])('rejects %s, and says what else it would have left out', async (_what, fields, field) => {
    const hook = await makeHook(client);
    const receipt = await sendIn(app, hook, { ...formInput({ phone: '12 ab' }), ...fields });
    expect(receipt.status).toBe('rejected');
    const { errors, warnings } = await readDelivery(client, hook, receipt.delivery_id);
    expect(Object.keys(errors ?? {})).toEqual([field]);
    expect(warnings.map((warning) => warning.field)).toEqual(['phone']);
  });

  it('takes what fits of 1,000 keys of metadata', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => [`metadata.k${n}`, `/data/k${n}`]);
    const mapping = { ...Object.fromEntries(keys), 'metadata.all': '/data', name: '/name', email: '/email' };
    const hook = await makeHook(client, { mapping });
    const data = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 'x'.repeat(450)]));
    const { status, lead, warnings, notes } = await sendAndRead(app, client, hook, formInput({ data }));
    expect(status).toBe('created');
    expect(Object.keys(lead?.metadata ?? {}).length).toBeGreaterThan(30);
    expect(warnings.length).toBeGreaterThan(0);
    expect(notes.join().length).toBeLessThanOrEqual(10_000);
  });

  it("uses the hook's country, locale and translations", async () => {
    const hook = await makeHook(client, {
      mapping: fullMapping,
      default_country: 'DE',
      locale: 'de',
      values: {
        source: { 'Trade show': { source: 'referral', source_detail: 'Trade show' } },
        status: { 'Open - Not Contacted': 'contacted' },
      },
    });
    const form = formInput({
      phone: '030 123456',
      amount: '1.250,00 €',
      by: '31.01.2027',
      source: ' trade SHOW ',
      status: 'open - not contacted',
    });
    const { lead, warnings } = await sendAndRead(app, client, hook, form);
    expect(warnings).toEqual([]);
    expect(lead).toMatchObject({
      phone: '+4930123456',
      value: { amount: '1250.00', currency: 'EUR' },
      expected_close_on: '2027-01-31',
      source: 'referral',
      source_detail: 'Trade show',
      status: 'contacted',
    });
  });
});

describe('Warnings', () => {
  it('are a filter of deliveries, and are erased with the person', async () => {
    const hook = await makeHook(client);
    const form = formInput({ phone: '12 ab' });
    const warned = await sendIn(app, hook, form);
    const clean = await sendIn(app, hook, formInput());
    const idsOf = async (query: string) => {
      const { body } = await client.get(`${hook.path}/deliveries?${query}`).expect(200);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf('has_warnings=true')).toEqual([warned.delivery_id]);
    expect(await idsOf('has_warnings=false')).toEqual([clean.delivery_id]);
    expect(await idsOf('has_warnings=true&status=rejected')).toEqual([]);
    const [lead] = await leadsOf(client, form.email);
    await client.delete(`/leads/${lead?.id}`).expect(204);
    expect(await idsOf('has_warnings=true')).toEqual([]);
  });

  it('are shown by a preview, with the note', async () => {
    const hook = await makeHook(client);
    const payload = formInput({ phone: '12 ab', message: 'Hello' });
    const { body } = await client.post(`${hook.path}/preview`, { payload }).expect(200);
    expect(body.data).toMatchObject({
      status: 'created',
      note: 'Hello\n\nPhone: 12 ab',
      warnings: [{ field: 'phone' }],
    });
    expect(await leadsOf(client, payload.email)).toEqual([]);
  });

  it('name no value of a known person that the sender may not know', async () => {
    const { external_id } = await createLead(client, { external_id: uniqueEmail() });
    const hook = await makeHook(client, { mapping: { name: '/name', email: '/email', external_id: '/id' } });
    const { warnings } = await sendAndRead(app, client, hook, formInput({ id: external_id }));
    expect(warnings).toEqual([
      { field: 'external_id', message: 'external_id is already used by another lead.' },
    ]);
  });
});
