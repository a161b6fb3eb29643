/** Each recipe of the chapter makes a lead of what its platform sends. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { leadsOf, makeHook, readDelivery } from '../support/hooks.ts';
import { commandsOf, readPage } from '../support/markdown.ts';
import { ads, linkedInNotification, metaNotification } from './platforms/ads.ts';
import { forms } from './platforms/forms.ts';
import * as platforms from './platforms/senders.ts';
import { sites } from './platforms/sites.ts';

const recipes = [...ads, ...forms, ...sites];
const page = readPage('docs/recipes-for-platforms.md');
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

/** The hook that the chapter creates in this section. */
function hookOf(section: string): object {
  const command = commandsOf(page).find((one) => one.section === section);
  const [, body = ''] = /-d '(\{[^']*\})' \| field data\.url/.exec(command?.text ?? '') ?? [];
  return JSON.parse(body);
}

const make = (section: string) => makeHook(client, hookOf(section));
type Hook = Awaited<ReturnType<typeof make>>;

const post = ({ token }: Hook, { type, body, headers }: platforms.Sent) =>
  app.anonymous.post(`/hooks/${token}`, body).type(type).set(headers);

async function statusOf(hook: Hook, sent: platforms.Sent): Promise<string> {
  const { body } = await post(hook, sent).expect(202);
  return body.data.status;
}

/** Deletes the lead, so that another test can make it again. */
async function takeLead(email: string) {
  const [lead] = await leadsOf(client, email);
  const notes = lead ? (await client.get(`/notes?lead_id=${lead.id}`).expect(200)).body.data : [];
  if (lead) await client.delete(`/leads/${lead.id}`).expect(204);
  return { lead, notes };
}

describe('the chapter', () => {
  it('has a recipe for each platform', () => {
    const sections = commandsOf(page).map(({ section }) => section);
    expect(sections).toEqual(recipes.map(({ section }) => section));
  });
});

describe.each(recipes.map((recipe) => [recipe.section, recipe] as const))('%s', (section, recipe) => {
  it('makes this lead, without a warning', async () => {
    const hook = await make(section);
    const { body } = await post(hook, recipe.send(hook.token)).expect(202);
    const delivery = await readDelivery(client, hook, body.data.delivery_id);
    expect(delivery).toMatchObject({ status: 'created', errors: null, warnings: [] });
    const { lead, notes } = await takeLead((recipe.lead as { email: string }).email);
    expect(lead).toMatchObject(recipe.lead);
    expect(notes).toMatchObject(recipe.note === undefined ? [] : [{ text: recipe.note }]);
  });
});

describe('a platform that signs', () => {
  it.each(
    recipes
      .filter(({ section }) => 'verification' in hookOf(section))
      .map(({ section, send }) => [section, send] as const),
  )('%s is refused without its signature or secret', async (section, sendTo) => {
    const hook = await make(section);
    const { type, body } = sendTo(hook.token);
    await post(hook, { type, body: body.replace('a-key-of-yours', 'another-key'), headers: {} }).expect(401);
  });
});

describe('Google Ads', () => {
  it('gives the same lead in both orders, and refuses a wrong key', async () => {
    const leads = [];
    for (const file of ['20-google-ads-a.json', '20-google-ads-b-other-order.json']) {
      const hook = await make('Google Ads lead forms');
      await post(hook, platforms.googleAds(file, 'another-key')).expect(401);
      expect(await leadsOf(client, 'ada@example.com')).toEqual([]);
      expect(await statusOf(hook, platforms.googleAds(file, 'a-key-of-yours'))).toBe('created');
      const { lead } = await takeLead('ada@example.com');
      const {
        id: _id,
        created_at,
        updated_at,
        status_changed_at,
        sales_cycle,
        ...fields
      } = lead as Record<string, unknown> & typeof lead & object;
      expect([created_at, updated_at, sales_cycle]).not.toContain(undefined);
      leads.push({ ...fields, status_changed_at: typeof status_changed_at });
    }
    expect(leads[1]).toEqual(leads[0]);
    expect(leads[0]).toMatchObject({ name: 'Ada Example', phone: '+16505550123' });
  });

  it('skips test data', async () => {
    const hook = await make('Google Ads lead forms');
    const sent = platforms.googleAds('20-google-ads-a.json', 'a-key-of-yours');
    const test = { ...sent, body: sent.body.replace('"is_test": false', '"is_test": true') };
    expect(await statusOf(hook, test)).toBe('skipped');
  });
});

describe('Meta and LinkedIn', () => {
  it('Meta: the hook answers the challenge, and keeps a notification without a lead', async () => {
    const hook = await make('Meta lead ads');
    const query = 'hub.mode=subscribe&hub.challenge=4711&hub.verify_token=a-token-of-yours';
    expect((await app.anonymous.get(`/hooks/${hook.token}?${query}`).expect(200)).text).toBe('4711');
    expect(await statusOf(hook, platforms.meta(metaNotification))).toBe('skipped');
    const { body } = await client.get(`${hook.path}/deliveries?status=skipped`).expect(200);
    const { payload } = await readDelivery(client, hook, body.data[0].id);
    expect(payload).toEqual(metaNotification);
  });

  it('LinkedIn: likewise', async () => {
    const hook = await make('LinkedIn lead gen forms');
    const challengeCode = randomUUID();
    const { body } = await app.anonymous
      .get(`/hooks/${hook.token}?challengeCode=${challengeCode}`)
      .expect(200);
    expect(body).toMatchObject({ challengeCode, challengeResponse: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await statusOf(hook, platforms.linkedIn(linkedInNotification))).toBe('skipped');
  });
});

describe('Typeform', () => {
  it('never makes the company the name when an answer is missing', async () => {
    const hook = await make('Typeform');
    const shifted = readFileSync(
      join(import.meta.dirname, '../cases/22b-typeform-silent-shift.json'),
      'utf8',
    );
    expect(await statusOf(hook, platforms.typeform(shifted))).toBe('rejected');
    expect(await leadsOf(client, 'silent1@example.com')).toEqual([]);
    const { body } = await client.get('/leads?search=Engines').expect(200);
    expect(body.data.map(({ name }: { name: string }) => name)).not.toContain('Engines Ltd');
  });

  it('keeps a missing answer apart from the others', async () => {
    const hook = await make('Typeform');
    const field = (ref: string) => ({ id: ref, type: 'short_text', ref });
    const answers = [
      { type: 'email', email: 'silent2@example.com', field: field('email') },
      { type: 'text', text: 'Engines Ltd', field: field('company') },
    ];
    expect(await statusOf(hook, platforms.typeform({ form_response: { answers } }))).toBe('created');
    // No other answer takes the place of the name.
    expect((await takeLead('silent2@example.com')).lead).toMatchObject({
      name: 'silent2',
      company: 'Engines Ltd',
    });
  });
});

describe('Others', () => {
  it('Calendly: a cancellation is skipped', async () => {
    const hook = await make('Calendly');
    const payload = { email: 'ada@calendly.example', name: 'Ada Calendly' };
    expect(await statusOf(hook, platforms.calendly('invitee.canceled', payload))).toBe('skipped');
  });

  it('HubSpot: all contact properties are read too', async () => {
    const hook = await make('HubSpot forms');
    const properties = Object.fromEntries(
      Object.entries({ firstname: 'Ada', lastname: 'Vid', email: 'ada@vid.example' }).map(([name, value]) => [
        name,
        { value, versions: [{ value, 'source-type': 'FORM' }] },
      ]),
    );
    const sent = platforms.json({ vid: 4711, properties }, () => ({ 'X-Hook-Secret': 'a-secret-of-yours' }));
    expect(await statusOf(hook, sent)).toBe('created');
    expect((await takeLead('ada@vid.example')).lead).toMatchObject({ name: 'Ada Vid', external_id: '4711' });
  });

  it('Elementor: labels are read too', async () => {
    const hook = await make('Elementor');
    const body = 'Name=Ada+Label&Email=ada%40label.example&Message=Hi&form_id=1606c7c4&form_name=Contact';
    const sent = { type: 'application/x-www-form-urlencoded', body, headers: {} };
    expect(await statusOf(hook, sent)).toBe('created');
    expect((await takeLead('ada@label.example')).lead).toMatchObject({ name: 'Ada Label' });
  });
});
