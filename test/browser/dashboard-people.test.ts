/** How the page shows people with unusual names, notes and deletions. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
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
    const items = await events(within)
      .filter({ has: within.page.locator('code', { hasText: type }) })
      .all();
    const textOf = async (item: Locator, part: string) => (await item.locator(part).textContent()) ?? '';
    return Promise.all(items.map(async (item) => [await textOf(item, '.name'), await textOf(item, '.what')]));
  }

  it('names the lead of a note, live and after the page is reloaded', async () => {
    const lead = await createLead(client, { name: 'Joan Clarke' });
    const path = `/leads/${lead.id}/notes`;
    const { body } = await client.post(path, { text: 'Called.' }).expect(201);
    const contact = await client.post('/contacts', { name: 'Alan', email: 'alan@example.com' }).expect(201);
    await client
      .post(`/contacts/${contact.body.data.id}/notes`, { text: 'A note on a contact.' })
      .expect(201);
    await dashboard.look();
    await eventually(() => told('note.created')).toEqual([['Joan Clarke', 'note added']]);
    await client.patch(`${path}/${body.data.id}`, { text: 'Called twice.' }).expect(200);
    await client.delete(`${path}/${body.data.id}`).expect(204);
    await dashboard.look();
    await eventually(() => told('note.deleted')).toEqual([['Joan Clarke', 'note deleted']]);

    const again = await Dashboard.signedIn(browser, app);
    await eventually(() => told('note.deleted', again)).toEqual([['Joan Clarke', 'note deleted']]);
    expect(await told('note.updated', again)).toEqual([['Joan Clarke', 'note changed']]);
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
      await dashboard.card('won', name).dragTo(dashboard.column('lost'));
      const notice = dashboard.page.getByRole('alert').filter({ hasText: 'someone else changed this lead' });
      await notice.waitFor();
      expect(await readsOn('#notice')).toBe(true);
    });
  });
});
