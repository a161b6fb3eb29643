import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('money on the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let dashboard: Dashboard;
  const month = new Date().toISOString().slice(0, 7);

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    const company = 'Bombe';
    const euros = (amount: string) => ({ amount, currency: 'EUR' });
    await createLead(client, { company, value: euros('999999999999999.01') });
    await createLead(client, {
      company,
      status: 'contacted',
      value: euros('0.02'),
      expected_close_on: `${month}-15`,
    });
    await createLead(client, { status: 'qualified', value: { amount: '1234567', currency: 'JPY' } });
    await createLead(client, { status: 'won', value: euros('700.50') });
    const lost = await createLead(client, { value: euros('12') });
    await client.patch(`/leads/${lost.id}`, { status: 'lost' }).expect(200);
    await createLead(client, {
      status: 'new',
      value: { amount: '3', currency: 'USD' },
      expected_close_on: '2020-01-01',
    });
    browser = await launchChromium();
    dashboard = await Dashboard.signedIn(browser, app, { locale: 'en-US' });
  });

  beforeEach(() => dashboard.begin());

  afterEach(() => expect(dashboard.faults).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const figure = (name: string) => dashboard.page.locator(`[data-figure="${name}"]`);
  const amounts = (name: string) => figure(name).locator('.amounts span').allTextContents();
  const hint = (name: string) => figure(name).locator('.hint').textContent();
  const column = (status: string) => dashboard.column(status).locator('.value');

  it('adds up the open, the won and the expected value of each currency', async () => {
    await eventually(() => amounts('open')).toEqual(['€999,999,999,999,999', '$3', '¥1,234,567']);
    expect(await hint('open')).toBe('4 leads');
    expect(await amounts('won')).toEqual(['€700.50']);
    expect(await hint('won')).toBe('1 sale, last 30 days');
    expect(await amounts('month')).toEqual(['€0.02']);
    expect(await hint('month')).toBe('1 lead · overdue $3');
    // Of two decided leads, one was won.
    expect(await amounts('forecast')).toContain('$1.50');
  });

  it('loses no digit of a sum', async () => {
    const exact = await figure('open').locator('.amounts').getAttribute('title');
    expect(exact).toContain('€999,999,999,999,999.03');
  });

  it('shows the value of each column, that of won and lost for the period of the reports', async () => {
    expect(await column('new').textContent()).toBe('€999,999,999,999,999 + $3');
    expect(await column('qualified').textContent()).toBe('¥1,234,567');
    expect(await column('won').textContent()).toBe('last 30 days: €700.50');
    await dashboard.page.getByLabel('Period of the reports').selectOption('Last 90 days');
    await eventually(() => column('lost').textContent()).toBe('last 90 days: €12');
    await dashboard.page.getByLabel('Period of the reports').selectOption('Last 30 days');
  });

  it('counts only the leads that a search or a filter shows', async () => {
    await dashboard.search('bombe');
    await eventually(() => amounts('open')).toEqual(['€999,999,999,999,999']);
    expect(await hint('open')).toBe('2 leads');
    expect(await amounts('won')).toEqual(['–']);
    expect(await column('won').textContent()).toBe('');
    expect(await hint('won')).toBe('Not for a search');
    expect(await hint('forecast')).toBe('Value × chance to win');
    expect([await dashboard.total('new'), await dashboard.total('won')]).toEqual([1, 0]);
    await dashboard.search('');
    await eventually(() => amounts('won')).toEqual(['€700.50']);
  });

  it('follows a move within seconds', async () => {
    const lead = await createLead(client, { name: 'Joan', value: { amount: '5', currency: 'CHF' } });
    await dashboard.look();
    await eventually(() => column('new').textContent()).toContain('CHF 5');
    await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    await dashboard.look();
    await dashboard.look();
    await eventually(() => column('new').textContent()).not.toContain('CHF');
    expect(await column('won').textContent()).toContain('CHF 5');
    await client.delete(`/leads/${lead.id}`).expect(204);
  });

  it("formats amounts as the browser's language does", async () => {
    const german = await Dashboard.signedIn(browser, app, { locale: 'de-DE' });
    await eventually(() => german.column('won').locator('.value').textContent()).toContain('700,50 €');
    expect(german.faults).toEqual([]);
    await german.close();
  });

  it('is hidden from a client that may not read reports, which asks for none', async () => {
    const asked: string[] = [];
    const other = await Dashboard.open(browser, app);
    other.expected = [403];
    other.page.on('request', (request) => asked.push(request.url()));
    await other.signInAnew(['leads:read']);
    expect(await other.page.locator('#money').isVisible()).toBe(false);
    expect(asked.filter((url) => /pipeline|forecast/.test(url))).toEqual([]);
    await other.close();
  });
});
