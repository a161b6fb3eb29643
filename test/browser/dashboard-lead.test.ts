import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, PHONE } from './dashboard-page.ts';
import { type Lead, LeadPanel } from './lead-panel.ts';

describe.skipIf(executablePath === undefined)("a lead's panel", { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let grace: string;
  let mary: string;
  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    grace = await createUser(client, { name: 'Grace Hopper' });
    mary = await createUser(client, { name: 'Mary Jackson' });
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox', 'Grace');
    await dashboard.loaded();
  });

  beforeEach(() => dashboard.begin());

  afterEach(async () => {
    expect(dashboard.faults).toEqual([]);
    await dashboard.page.keyboard.press('Escape');
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const panel = (within = dashboard) => new LeadPanel(within).element;
  const read = async ({ id }: Lead): Promise<Lead> =>
    (await client.get(`/leads/${id}`).expect(200)).body.data;

  const open = (lead: Lead, within = dashboard) => new LeadPanel(within).open(lead);
  const detail = (name: string) => new LeadPanel(dashboard).detail(name);

  it('opens by a click or Enter, shows every field, and gives the focus back', async () => {
    const content = await client.post('/content', { title: 'How to sell', type: 'article' }).expect(201);
    const lead = await createLead(client, {
      name: 'Hedy Lamarr',
      phone: '+4915112345678',
      company: 'Frequency Hopping',
      source: 'referral',
      source_detail: 'Trade show',
      assigned_user_id: mary,
      content_id: content.body.data.id,
      external_id: 'crm-1',
      value: { amount: '12345678901234.55', currency: 'EUR' },
      expected_close_on: '2027-01-31',
      tags: ['vip', 'berlin'],
      metadata: { plan: 'enterprise' },
      status: 'lost',
      lost_reason: 'No budget',
    });
    await dashboard.show(lead);
    await dashboard.card('lost', lead.name).click();
    await panel().getByRole('heading', { name: lead.name }).waitFor();
    const { page } = dashboard;
    expect(await page.evaluate('location.hash')).toBe(`#${lead.id}`);
    expect(await page.locator(':focus').textContent()).toBe(lead.name);
    await detail('Content').getByText('How to sell').waitFor();
    const shown = await panel().locator('dl').textContent();
    for (const text of [
      lead.email,
      lead.phone,
      'Frequency Hopping',
      'referral',
      'Trade show',
      'crm-1',
      '€12,345,678,901,234.55',
      'Jan 31, 2027',
      'vip',
      'berlin',
      'planenterprise',
      'No budget',
    ]) {
      expect(shown).toContain(text);
    }
    expect(await panel().getByRole('link', { name: lead.email }).getAttribute('href')).toBe(
      `mailto:${encodeURIComponent(lead.email)}`,
    );
    expect(await panel().locator('a[href^="tel:"]').getAttribute('href')).toBe(`tel:${lead.phone}`);
    expect(await panel().getByLabel('Status').inputValue()).toBe('lost');
    await eventually(() => panel().getByRole('combobox', { name: 'Owner' }).inputValue()).toBe(
      'Mary Jackson',
    );

    await page.keyboard.press('Escape');
    expect(await panel().isVisible()).toBe(false);
    expect(await page.evaluate('location.hash')).toBe('');
    expect(await page.locator(':focus').getAttribute('href')).toBe(`#${lead.id}`);
    await page.keyboard.press('Enter');
    await panel().getByRole('heading', { name: lead.name }).waitFor();
    await page.goBack();
    await panel().waitFor({ state: 'hidden' });
  });

  it('follows the changes of others while it is open', async () => {
    const lead = await createLead(client, { name: 'Adele Goldberg' });
    await open(lead);
    await client.patch(`/leads/${lead.id}`, { company: 'Xerox', assigned_user_id: mary }).expect(200);
    await client.post('/notes', { lead_id: lead.id, text: 'Somebody called' }).expect(201);
    await dashboard.look();
    await detail('Company').getByText('Xerox').waitFor();
    await panel().locator('.notes').getByText('Somebody called').waitFor();
    await eventually(() => panel().getByRole('combobox', { name: 'Owner' }).inputValue()).toBe(
      'Mary Jackson',
    );
  });

  it('says that a lead is gone, and follows one that was merged', async () => {
    const gone = await createLead(client, { name: 'Gone Lead' });
    await open(gone);
    dashboard.expected = [404, 410];
    await client.delete(`/leads/${gone.id}`).expect(204);
    await dashboard.look();
    await panel().getByText('Gone Lead does not exist, or no longer.').waitFor();
    expect(await panel().getByRole('button').count()).toBe(1);

    const kept = await createLead(client, { name: 'Kept Lead' });
    const merged = await createLead(client, { name: 'Merged Lead' });
    await open(merged);
    await client.post(`/leads/${kept.id}/merge`, { lead_id: merged.id }).expect(200);
    await dashboard.look();
    await panel().getByRole('heading', { name: 'Kept Lead' }).waitFor();
    await panel().getByText('Merged Lead was merged into this lead.').waitFor();
    expect(await dashboard.page.evaluate('location.hash')).toBe(`#${kept.id}`);
    await dashboard.page.keyboard.press('Escape');
    await dashboard.page.evaluate(`location.hash = '${merged.id}'`);
    await panel().getByText('The lead that you opened was merged into this lead.').waitFor();
  });

  it('opens by a link after signing in, and shows a read-only client no controls', async () => {
    const lead = await createLead(client, {
      name: 'Linked Lead',
      assigned_user_id: grace,
      phone: '+4915112345678',
    });
    await client.post('/notes', { lead_id: lead.id, text: 'Only to read' }).expect(201);
    const reader = await Dashboard.open(browser, app);
    await reader.page.goto(`${app.url}/dashboard/#${lead.id}`);
    await reader.signInAnew(['read']);
    await panel(reader).locator('.notes').getByText('Only to read').waitFor();
    await panel(reader).locator('.quick').getByText('Grace Hopper').waitFor();
    await panel(reader).getByText('created as new').waitFor();
    expect(await panel(reader).getByRole('button').allTextContents()).toEqual(['Close']);
    expect(await panel(reader).locator('input, select, textarea').count()).toBe(0);
    expect(reader.faults).toEqual([]);
    await reader.close();
  });

  it('shows hostile text as text, in place', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202Eecalevol 👩‍🚀';
    const lead = await createLead(client, {
      name: hostile,
      company: 'W'.repeat(200),
      tags: ['<script>alert(1)</script>'],
      metadata: { '<b>key</b>': `${'x'.repeat(400)}` },
    });
    await client.post('/notes', { lead_id: lead.id, text: `${'y'.repeat(900)} <script>` }).expect(201);
    await open(lead);
    await panel().locator('.notes').getByText('<script>').waitFor();
    expect(await panel().locator('img, script, b').count()).toBe(0);
    const excess = await dashboard.page.evaluate(
      `(() => { const panel = document.querySelector('#lead'); return panel.scrollWidth - panel.clientWidth; })()`,
    );
    expect(excess).toBe(0);
  });

  it('covers the page on a phone, and leaves only itself to reach', async () => {
    const lead = await createLead(client, { name: 'Pocket Lead' });
    const phone = await Dashboard.signedIn(browser, app, PHONE);
    await phone.show(lead);
    await phone.card('new', lead.name).tap();
    await panel(phone).getByRole('heading', { name: lead.name }).waitFor();
    expect(await panel(phone).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    expect(await panel(phone).getAttribute('role')).toBe('dialog');
    expect(await phone.page.locator('main').getAttribute('inert')).toBe('');
    await panel(phone).getByLabel('Status').selectOption('Won');
    await eventually(async () => (await read(lead)).status).toBe('won');
    await panel(phone).getByRole('button', { name: 'Close' }).tap();
    expect(await phone.page.locator('main').getAttribute('inert')).toBeNull();
    expect(phone.faults).toEqual([]);
    await phone.close();
  });
});
