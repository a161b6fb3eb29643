/** How the page shows people with unusual names, notes and deletions. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { make, users } from '../support/resources.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, seedSandbox } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await seedSandbox(app, 30);
    browser = await launchChromium();
    dashboard = await Dashboard.signedIn(browser, app);
  });

  beforeEach(() => dashboard.begin());

  afterEach(() => expect(dashboard.faults).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const events = (within = dashboard) => within.page.locator('#events li');

  /** The name and the text of each event of this type, newest first. */
  async function told(type: string, within = dashboard): Promise<string[][]> {
    const items = await within.page.locator(`#events li[data-type="${type}"]`).all();
    const textOf = async (item: Locator, part: string) => (await item.locator(part).textContent()) ?? '';
    return Promise.all(items.map(async (item) => [await textOf(item, '.name'), await textOf(item, '.what')]));
  }

  it('names the lead of a note, live and after the page is reloaded', async () => {
    const lead = await createLead(client, { name: 'Joan Clarke' });
    const { body } = await client.post('/notes', { lead_id: lead.id, text: 'Called.' }).expect(201);
    const contact = await client.post('/contacts', { name: 'Alan', email: 'alan@example.com' }).expect(201);
    await client
      .post('/notes', { contact_id: contact.body.data.id, text: 'A note on a contact.' })
      .expect(201);
    await dashboard.look();
    await eventually(() => told('note.created')).toEqual([['Joan Clarke', 'note added: Called.']]);
    await client.patch(`/notes/${body.data.id}`, { text: 'Called twice.' }).expect(200);
    await client.delete(`/notes/${body.data.id}`).expect(204);
    await dashboard.look();
    await eventually(() => told('note.deleted')).toEqual([['Joan Clarke', 'note deleted']]);

    const again = await Dashboard.signedIn(browser, app);
    await eventually(() => told('note.deleted', again)).toEqual([['Joan Clarke', 'note deleted']]);
    expect(await told('note.updated', again)).toEqual([['Joan Clarke', 'note changed: Called twice.']]);
    for (const page of [dashboard, again]) {
      expect(await page.page.locator('#events').textContent()).not.toMatch(/undefined|null|note_/);
    }
    expect(again.faults).toEqual([]);
    await again.close();
  });

  it('shows the other events when a lead is deleted while they are read', async () => {
    const [gone, kept] = [
      await createLead(client, { name: 'Gone' }),
      await createLead(client, { name: 'Kept' }),
    ];
    const opened = await Dashboard.open(browser, app);
    opened.expected = [404];
    await opened.page.route(/\/leads\?sort=-updated_at/, async (route) => {
      const response = await route.fetch();
      await client.delete(`/leads/${gone.id}`);
      await route.fulfill({ response });
    });
    await opened.signInAnew();
    await eventually(() => events(opened).filter({ hasText: kept.name }).count()).toBe(1);
    expect(await opened.page.locator('#events .state').isVisible()).toBe(false);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('says who did it, live and after the page is reloaded', async () => {
    const user = await make(client, users, { name: 'Grace <b>Hopper</b>' });
    const acting = client.with({ 'Acting-User': user.id });
    const lead = await createLead(client, { name: 'Mavis Batey' });
    await acting.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    await acting.post('/notes', { lead_id: lead.id, text: 'Signed \u202Etoday.' }).expect(201);
    const told = async ({ page }: Dashboard) => {
      const items = page.locator('#events li', { hasText: 'Mavis Batey' });
      return (await items.locator('.who').allTextContents()).slice(0, 3);
    };
    await dashboard.look();
    const who = ['Grace <b>Hopper</b> through Test', 'Grace <b>Hopper</b> through Test', 'Test'];
    await eventually(() => told(dashboard)).toEqual(who);
    const again = await Dashboard.signedIn(browser, app);
    await eventually(() => told(again)).toEqual(who);
    const note = again.page.locator('#events li[data-type="note.created"]').first();
    expect(await note.locator('.what bdi').textContent()).toBe('Signed \u202Etoday.');
    expect(await again.page.locator('#events b').count()).toBe(0);
    expect(again.faults).toEqual([]);
    await again.close();
  });

  it('names the lead of a new note about a lead that has not changed for long', async () => {
    const { body } = await client.get('/leads?sort=updated_at&per_page=1').expect(200);
    const [lead] = body.data;
    await client.post('/notes', { lead_id: lead.id, text: 'Back again.' }).expect(201);
    await dashboard.look();
    await eventually(() => told('note.created').then(([first]) => first)).toEqual([
      lead.name,
      'note added: Back again.',
    ]);
  });

  it.each([404, 410])('shows a lead that is gone (%i) as deleted, and forgets its name', async (status) => {
    const lead = await createLead(client, { name: `Gone for ${status}` });
    await dashboard.look();
    await events().filter({ hasText: lead.name }).first().waitFor();
    const opened = await Dashboard.open(browser, app);
    opened.expected = [status];
    await opened.page.route(`**/leads/${lead.id}/events?*`, (route) =>
      route.fulfill({ status, json: { message: 'It is gone.', code: 'gone' } }),
    );
    await opened.signInAnew();
    await events(opened).first().waitFor();
    expect(await events(opened).filter({ hasText: lead.name }).count()).toBe(0);
    expect(await opened.page.locator('#events .state').isVisible()).toBe(false);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await dashboard.look();
    // The events of an earlier test may already show another deletion.
    await eventually(() => events().filter({ hasText: lead.name }).allTextContents()).toEqual([]);
    expect((await told('lead.deleted'))[0]).toEqual(['Deleted lead', 'deleted']);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('says into which lead another one was merged', async () => {
    const [gone, kept] = [
      await createLead(client, { name: 'Doublet' }),
      await createLead(client, { name: 'The one that stays' }),
    ];
    await client.post(`/leads/${kept.id}/merge`, { lead_id: gone.id }).expect(200);
    await dashboard.look();
    await eventually(() => told('lead.merged').then(([first]) => first)).toEqual([
      'Deleted lead',
      'merged into The one that stays',
    ]);
    expect(await events().locator('.name', { hasText: 'Doublet' }).count()).toBe(0);
  });

  it('shows new notes about leads that have not changed for long, after the page is reloaded, too', async () => {
    const { body } = await client.get('/leads?sort=updated_at&per_page=1').expect(200);
    const [lead] = body.data;
    await client.post('/notes', { lead_id: lead.id, text: 'After a long time.' }).expect(201);
    const again = await Dashboard.signedIn(browser, app);
    await eventually(() => told('note.created', again).then(([first]) => first)).toEqual([
      lead.name,
      'note added: After a long time.',
    ]);
    expect(again.faults).toEqual([]);
    await again.close();
  });

  describe('with a name that reverses the text direction', () => {
    const name = 'Ada \u202Eecalevol';

    /** Whether the text after the name is to the right of it, and runs from left to right. */
    const readsOn = (place: string) =>
      dashboard.page.evaluate<boolean>(`(() => {
        const name = document.querySelector('${place} bdi');
        const range = document.createRange();
        const left = (node, index) => {
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          return range.getBoundingClientRect().left;
        };
        const rest = name.nextSibling;
        return left(rest, 1) > name.getBoundingClientRect().left && left(rest, 1) < left(rest, 4);
      })()`);

    it("does not reverse the page's own words", async () => {
      const lead = await createLead(client, { name, company: 'Engines \u2067Ltd' });
      await dashboard.show(lead);
      const card = dashboard.card('new', name);
      expect(await card.locator('.name bdi').textContent()).toBe(name);
      expect(await card.locator('.detail bdi').textContent()).toBe('Engines \u2067Ltd');
      await card.dragTo(dashboard.column('won'));
      const moved = dashboard.page.locator('#moved', { hasText: 'is now won.' });
      await moved.waitFor();
      expect(await readsOn('#moved')).toBe(true);

      dashboard.expected = [412];
      await dashboard.holdEvents();
      await client.patch(`/leads/${lead.id}`, { company: 'Engines' }).expect(200);
      await dashboard.card('won', name).dragTo(dashboard.column('qualified'));
      const notice = dashboard.page.getByRole('alert').filter({ hasText: 'someone else changed this lead' });
      await notice.waitFor();
      expect(await readsOn('#notice')).toBe(true);
    });
  });
});
