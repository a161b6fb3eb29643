import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../generated/api.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, PHONE, seedSandbox } from './dashboard-page.ts';

type Lead = components['schemas']['Lead'];

describe.skipIf(executablePath === undefined)('the board', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await seedSandbox(app, 150);
    browser = await launchChromium();
    dashboard = await Dashboard.signedIn(browser, app);
  });

  beforeEach(() => dashboard.begin());

  afterEach(() => expect(dashboard.faults).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  async function read({ id }: Lead): Promise<Lead> {
    return (await client.get(`/leads/${id}`).expect(200)).body.data;
  }

  const statusOf = async (lead: Lead) => (await read(lead)).status;

  it('changes the status of a lead that is dragged to another column', async () => {
    const lead = await createLead(client, { name: 'Dorothy Vaughan' });
    await dashboard.show(lead);
    const before = [await dashboard.total('new'), await dashboard.total('won')];
    await dashboard.card('new', lead.name).dragTo(dashboard.column('won'));
    await dashboard.page.locator('#moved', { hasText: 'Dorothy Vaughan is now won.' }).waitFor();
    expect(await statusOf(lead)).toBe('won');
    expect(await dashboard.card('won', lead.name).count()).toBe(1);
    expect(await dashboard.card('new', lead.name).count()).toBe(0);
    expect(await dashboard.total('new')).toBe((before[0] ?? 0) - 1);
    expect(await dashboard.total('won')).toBe((before[1] ?? 0) + 1);
  });

  it('shows the value of a lead', async () => {
    const value = { amount: '1234567', currency: 'JPY' };
    const lead = await createLead(client, { name: 'Mary Allen Wilkes', value });
    await dashboard.show(lead);
    expect(await dashboard.card('new', lead.name).locator('.facts').textContent()).toContain('¥1,234,567');
  });

  it('does not change a lead that is dropped where it was', async () => {
    const lead = await createLead(client, { name: 'Annie Easley' });
    await dashboard.show(lead);
    await dashboard.card('new', lead.name).dragTo(dashboard.column('new').locator('h3'));
    await dashboard.look();
    expect(await dashboard.card('new', lead.name).count()).toBe(1);
    expect((await read(lead)).version).toBe(lead.version);
  });

  it('changes the status by keyboard, and keeps the focus on the lead', async () => {
    const company = 'West Area Computing';
    await createLead(client, { name: 'Christine Darden', company });
    await createLead(client, { name: 'Gladys West', company, status: 'contacted' });
    const lead = await createLead(client, { name: 'Katherine Johnson', company });
    await dashboard.search(company);
    const { page } = dashboard;
    await page.getByText('3 leads found').waitFor();
    const focused = () => page.locator(':focus').getAttribute('aria-label');
    /** The name in the focused card, and its column. */
    const focusedCard = async () => [
      await page.locator('.card:focus-within .name').textContent(),
      await page.locator('.column:focus-within').getAttribute('data-status'),
    ];
    await page.getByRole('button', { name: 'Add lead' }).focus();
    await page.keyboard.press('Tab');
    expect(await focusedCard()).toEqual([lead.name, 'new']);
    await page.keyboard.press('ArrowDown');
    expect(await focusedCard()).toEqual(['Christine Darden', 'new']);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    expect(await focusedCard()).toEqual(['Gladys West', 'contacted']);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await eventually(() => statusOf(lead)).toBe('qualified');
    expect(await focusedCard()).toEqual([lead.name, 'qualified']);

    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Move Katherine Johnson, now qualified');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    expect(await page.locator(':focus').textContent()).toBe('Lost');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('Move Katherine Johnson, now qualified');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('No budget this year');
    await page.keyboard.press('Enter');
    await eventually(() => statusOf(lead)).toBe('lost');
    expect((await read(lead)).lost_reason).toBe('No budget this year');
    expect(await focused()).toBe('Move Katherine Johnson, now lost');
  });

  it('can move a lead again before the columns are reloaded', async () => {
    const lead = await createLead(client, { name: 'Evelyn Boyd Granville' });
    await dashboard.show(lead);
    const { page } = dashboard;
    await page.route(/\/leads\?/, () => {});
    await page.getByLabel('Move Evelyn Boyd Granville').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('#moved', { hasText: 'is now contacted.' }).waitFor({ state: 'attached' });
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('#moved', { hasText: 'is now qualified.' }).waitFor({ state: 'attached' });
    expect(await statusOf(lead)).toBe('qualified');
  });

  it('reports that someone else changed the lead, and shows its current state', async () => {
    const lead = await createLead(client, { name: 'Radia Perlman' });
    await dashboard.show(lead);
    dashboard.expected = [412];
    await dashboard.holdEvents();
    await client.patch(`/leads/${lead.id}`, { status: 'qualified' }).expect(200);
    await dashboard.card('new', lead.name).dragTo(dashboard.column('won'));
    const notice = dashboard.page.getByRole('alert').filter({ hasText: 'someone else changed this lead' });
    await notice.waitFor();
    await dashboard.card('qualified', lead.name).waitFor();
    expect(await statusOf(lead)).toBe('qualified');

    await dashboard.card('qualified', lead.name).dragTo(dashboard.column('won'));
    await dashboard.card('won', lead.name).waitFor();
    await eventually(() => statusOf(lead)).toBe('won');
    expect(await notice.isVisible()).toBe(false);
  });

  it('puts the card back when the lead is gone', async () => {
    const lead = await createLead(client, { name: 'Frances Allen' });
    await dashboard.show(lead);
    dashboard.expected = [404];
    await dashboard.holdEvents();
    await client.delete(`/leads/${lead.id}`).expect(204);
    await dashboard.card('new', lead.name).dragTo(dashboard.column('won'));
    await dashboard.page.getByText('Frances Allen was not moved.').waitFor();
    await eventually(() => dashboard.page.locator('.card', { hasText: lead.name }).count()).toBe(0);
  });

  it('searches in all columns', async () => {
    await createLead(client, { name: 'Shafi Goldwasser', company: 'Zero Knowledge' });
    await createLead(client, { name: 'Silvio Micali', company: 'Zero Knowledge', status: 'won' });
    await dashboard.search('zero know');
    await dashboard.page.getByText('2 leads found').waitFor();
    expect(await dashboard.page.locator('.card .name').allTextContents()).toEqual([
      'Shafi Goldwasser',
      'Silvio Micali',
    ]);
    expect([await dashboard.total('new'), await dashboard.total('lost')]).toEqual([1, 0]);
    await dashboard.column('lost').getByText('No leads.').waitFor();
    await dashboard.page.getByLabel('Search the board').fill('');
    await dashboard.page.getByText(/^1\d\d leads$/).waitFor();
  });

  it('loads a column page by page', async () => {
    await dashboard.page.getByLabel('Search the board').fill('');
    const column = dashboard.column('lost');
    const query = '/leads?status=lost&sort=-status_changed_at&per_page=100';
    const { body } = await client.get(query).expect(200);
    const leads: Lead[] = body.data;
    const more = column.getByRole('button', { name: 'Show more' });
    await eventually(() => column.locator('.card').count()).toBe(20);
    for (let shown = 40; shown < leads.length; shown += 20) {
      await more.click();
      await eventually(() => column.locator('.card').count()).toBe(shown);
    }
    await more.click();
    await more.waitFor({ state: 'hidden' });
    const ids = await column
      .locator('.card')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-id')));
    expect(ids).toEqual(leads.map(({ id }) => id));
    expect(leads.length).toBe(body.meta.total);
  });

  it('shows text from strangers as text, not as markup', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const lead = await createLead(client, { name: hostile, company: '<b onclick=alert(1)>Firm</b>' });
    await dashboard.show(lead);
    await dashboard.look();
    await dashboard.page.locator('#events li', { hasText: hostile }).first().waitFor();
    await dashboard.page.getByLabel(`Move ${hostile}, now new`).click();
    await dashboard.page.getByRole('menuitem', { name: 'Contacted' }).click();
    await dashboard.page.locator('#moved', { hasText: `${hostile} is now contacted.` }).waitFor();
    expect(await statusOf(lead)).toBe('contacted');
    expect(await dashboard.page.locator('main img, main script, main b').count()).toBe(0);
    expect(await dashboard.page.title()).toBe('Pipeline · Sandbox');
  });

  it('moves the card back when the API rejects the change, and explains why', async () => {
    const lead = await createLead(client, { name: 'Barbara Liskov' });
    await dashboard.show(lead);
    await dashboard.rejectChanges();
    await dashboard.card('new', lead.name).dragTo(dashboard.column('won'));
    await dashboard.page.getByText(/Barbara Liskov was not moved\. .*leads:write/).waitFor();
    expect(await dashboard.card('new', lead.name).count()).toBe(1);
    expect(await dashboard.card('won', lead.name).count()).toBe(0);
    await dashboard.page.locator('#notice').getByRole('button', { name: 'Close' }).click();
    expect(await dashboard.page.locator('#notice').isVisible()).toBe(false);
    expect(dashboard.faults).toEqual([]);
  });

  it('changes the status by the menu on a phone, which shows one column at a time', async () => {
    const lead = await createLead(client, { name: 'Mary Jackson' });
    const dashboard = await Dashboard.signedIn(browser, app, PHONE);
    const { page } = dashboard;
    expect(await page.locator('.column:visible').count()).toBe(1);
    await page.getByLabel('Move Mary Jackson').tap();
    await page.getByRole('menuitem', { name: 'Contacted' }).tap();
    await page.locator('#moved', { hasText: 'Mary Jackson is now contacted.' }).waitFor();
    expect(await statusOf(lead)).toBe('contacted');
    expect(await dashboard.card('contacted', lead.name).isVisible()).toBe(false);
    await page.locator('.tabs').getByText('Contacted').tap();
    expect(await dashboard.card('contacted', lead.name).isVisible()).toBe(true);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('keeps the focus on a card that moves back, even if its new column is not visible', async () => {
    const lead = await createLead(client, { name: 'Jean Sammet' });
    const dashboard = await Dashboard.signedIn(browser, app, PHONE);
    await dashboard.rejectChanges();
    await dashboard.page.getByLabel('Move Jean Sammet').tap();
    await dashboard.page.getByRole('menuitem', { name: 'Won' }).tap();
    await dashboard.page.getByText('Jean Sammet was not moved.').waitFor();
    expect(await dashboard.page.locator(':focus').getAttribute('aria-label')).toBe(
      `Move ${lead.name}, now new`,
    );
    await dashboard.close();
  });
});
