import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { make, users } from '../support/resources.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, PHONE } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('filters of the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let dashboard: Dashboard;
  let page: Page;
  let ada: string;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    ada = (await make(client, users, { name: 'Ada \u202Eecalevol' })).id;
    const ben = (await make(client, users, { name: 'Ben' })).id;
    await createLead(client, { name: 'First', assigned_user_id: ada, source: 'website', tags: ['vip'] });
    await createLead(client, { name: 'Second', assigned_user_id: ada, source: 'referral', status: 'won' });
    await createLead(client, {
      name: 'Third',
      assigned_user_id: ben,
      source: 'website',
      tags: ['vip', 'eu'],
    });
    await createLead(client, { name: 'Fourth', source: 'website' });
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    page = dashboard.page;
  });

  beforeEach(async () => {
    await dashboard.restart();
    await dashboard.signInAnew();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** The names on the cards, in the order of the columns. */
  const names = (of: Dashboard = dashboard) => of.page.locator('.card .name').allTextContents();
  const owner = () => page.getByLabel('Owner', { exact: true });
  const source = () => page.getByLabel('Source', { exact: true });
  const tag = () => page.getByLabel('Tag', { exact: true });
  const found = () => page.locator('#found').textContent();

  /** Opens a link to the page in the same tab. */
  async function follow(query: string): Promise<void> {
    await page.goto(`${app.url}/dashboard/?${query}`);
    await dashboard.signInAnew();
  }

  it('shows the leads of an owner, or of nobody', async () => {
    await eventually(() => owner().locator('option').allTextContents()).toContain('\u2068Ben\u2069');
    await owner().selectOption(ada);
    await eventually(() => names()).toEqual(['First', 'Second']);
    expect(await found()).toBe('2 leads found');
    await owner().selectOption('Nobody');
    await eventually(() => names()).toEqual(['Fourth']);
    expect(dashboard.faults).toEqual([]);
  });

  it('combines the owner, the source, the tag and the search', async () => {
    await source().selectOption('Website');
    await eventually(() => names()).toEqual(['Fourth', 'Third', 'First']);
    await tag().fill('vip');
    await eventually(() => names()).toEqual(['Third', 'First']);
    await dashboard.search('third');
    await eventually(() => names()).toEqual(['Third']);
    await owner().selectOption(ada);
    await eventually(() => names()).toEqual([]);
    expect(dashboard.faults).toEqual([]);
  });

  it('shows the leads of a source detail', async () => {
    const lead = await createLead(client, {
      name: 'Fair',
      source: 'referral',
      source_detail: 'Fair: \u202EBerlin',
    });
    await source().focus();
    await eventually(() => source().locator('option').allTextContents()).toContain(
      '\u2003\u2068Fair: \u202EBerlin\u2069',
    );
    await source().selectOption('referral:Fair: \u202EBerlin');
    await eventually(() => names()).toEqual(['Fair']);
    await page.reload();
    await dashboard.signInAnew();
    await eventually(() => names()).toEqual(['Fair']);
    await page.locator('#funnel tbody td:nth-child(2)', { hasText: /^1$/ }).first().waitFor();
    expect(dashboard.faults).toEqual([]);
    await client.delete(`/leads/${lead.id}`).expect(204);
  });

  it('offers the tags in use', async () => {
    const offered = () =>
      page.locator('#tags option').evaluateAll((all) => all.map((option) => option.getAttribute('value')));
    await eventually(offered).toEqual(['vip', 'eu']);
  });

  it('narrows the reports down, too', async () => {
    const reached = page.locator('#funnel tbody td:nth-child(2)');
    await eventually(() => reached.first().textContent()).toBe('4');
    await source().selectOption('Referral');
    await eventually(() => reached.allTextContents()).toEqual(['1', '1', '1', '1']);
    await page.locator('.legend .period', { hasText: 'Total: 1' }).waitFor();
  });

  it('are in the address, so that a reload and a shared link keep them', async () => {
    await source().selectOption('Website');
    await tag().fill('vip');
    await dashboard.search('third');
    await eventually(() => names()).toEqual(['Third']);
    expect(new URL(page.url()).search).toBe('?search=third&source=website&tag=vip');
    await page.reload();
    await dashboard.signInAnew();
    await eventually(() => names()).toEqual(['Third']);
    expect(await tag().inputValue()).toBe('vip');
    await follow(`owner=${ada}`);
    await eventually(() => names()).toEqual(['First', 'Second']);
    expect(await owner().inputValue()).toBe(ada);
    expect(dashboard.faults).toEqual([]);
  });

  it('ignore an address that makes no sense', async () => {
    await follow(`owner=DROP&source=mars&search=${'x'.repeat(300)}&tag=`);
    await eventually(() => names()).toEqual([]);
    expect(new URL(page.url()).search).toBe(`?search=${'x'.repeat(200)}`);
    expect(dashboard.faults).toEqual([]);
    dashboard.expected = [404];
    await follow('owner=user_01m7w4n5e0eymtkc82hvhg0xb9');
    await eventually(found).toBe('0 leads found');
    expect(await owner().locator('option:checked').textContent()).toBe('Another user');
    expect(dashboard.faults).toEqual([]);
  });

  it('leave the rest of the address alone', async () => {
    await page.evaluate(`history.replaceState(null, '', '#something')`);
    await source().selectOption('Referral');
    await eventually(() => names()).toEqual(['Second']);
    const { search, hash } = new URL(page.url());
    expect([search, hash]).toEqual(['?source=referral', '#something']);
  });

  it('are cleared by one click', async () => {
    const clear = page.getByRole('button', { name: 'Clear', exact: true });
    expect(await clear.isVisible()).toBe(false);
    await source().selectOption('Referral');
    await dashboard.search('second');
    await eventually(() => names()).toEqual(['Second']);
    await clear.click();
    await eventually(async () => (await names()).length).toBe(4);
    expect(await clear.isVisible()).toBe(false);
    expect(page.url()).toBe(`${app.url}/dashboard/`);
    expect(await found()).toBe('4 leads');
  });

  it('show mine by one click: the leads of the user for whom one acts, whoever opens the link', async () => {
    const mine = page.getByRole('button', { name: 'Mine' });
    expect(await mine.isVisible()).toBe(false);
    const signInAs = async (user?: string) => {
      await page.reload();
      await dashboard.signIn(await app.credentials(undefined, 'sandbox'), 'sandbox', user);
      await dashboard.loaded();
    };
    await signInAs('Ben');
    await mine.click();
    await eventually(() => names()).toEqual(['Third']);
    expect(new URL(page.url()).search).toBe('?owner=me');
    await signInAs('Ada');
    await eventually(() => names()).toEqual(['First', 'Second']);
    await mine.click();
    await eventually(async () => (await names()).length).toBe(4);
    await mine.click();
    await eventually(() => names()).toEqual(['First', 'Second']);
    await signInAs();
    await eventually(async () => (await names()).length).toBe(4);
    expect(new URL(page.url()).search).toBe('');
  });

  it('hold for live updates', async () => {
    await source().selectOption('Referral');
    await eventually(() => names()).toEqual(['Second']);
    const lead = await createLead(client, { name: 'Fifth', source: 'referral' });
    const other = await createLead(client, { name: 'Sixth', source: 'manual' });
    await dashboard.look();
    await eventually(() => names()).toEqual(['Fifth', 'Second']);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await client.delete(`/leads/${other.id}`).expect(204);
  });

  it('work on a phone', async () => {
    const phone = await Dashboard.signedIn(browser, app, PHONE);
    await phone.page.getByLabel('Source', { exact: true }).selectOption('Website');
    await phone.page.getByLabel('Tag', { exact: true }).fill('eu');
    await eventually(() => names(phone)).toEqual(['Third']);
    await phone.page.getByRole('button', { name: 'Clear', exact: true }).tap();
    await eventually(async () => (await names(phone)).length).toBe(4);
    expect(phone.faults).toEqual([]);
    await phone.close();
  });

  it('offer a client that may not read users anyone and nobody', async () => {
    const other = await Dashboard.open(browser, app);
    other.expected = [403];
    await other.signInAnew(['leads:read', 'events:read']);
    await other.page.getByLabel('Owner', { exact: true }).selectOption('Nobody');
    await eventually(() => names(other)).toEqual(['Fourth']);
    expect(other.faults).toEqual([]);
    await other.close();
  });
});
