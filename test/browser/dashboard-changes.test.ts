import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually } from './dashboard-page.ts';
import { type Lead, LeadPanel } from './lead-panel.ts';

describe.skipIf(executablePath === undefined)('changes on the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let grace: string;
  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    grace = await createUser(client, { name: 'Grace Hopper' });
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox', 'Grace');
    await dashboard.loaded();
  });

  beforeEach(() => dashboard.begin());

  afterEach(() => expect(dashboard.faults).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const read = async ({ id }: Lead): Promise<Lead> =>
    (await client.get(`/leads/${id}`).expect(200)).body.data;
  const lost = () => dashboard.page.locator('#lost');
  const undo = () => dashboard.page.locator('#undo');

  describe('asking why a lead was lost', () => {
    it('offers the reasons of other leads, saves one, and moves nothing before', async () => {
      for (const reason of ['Too expensive', 'No answer', 'Too expensive']) {
        await createLead(client, { status: 'lost', lost_reason: reason });
      }
      const lead = await createLead(client, { name: 'Lost Once' });
      await dashboard.show(lead);
      await dashboard.card('new', lead.name).dragTo(dashboard.column('lost'));
      await lost().getByRole('heading', { name: 'Why was Lost Once lost?' }).waitFor();
      await lost().getByRole('button', { name: 'No answer' }).waitFor();
      expect(await lost().locator('.reasons button').allTextContents()).toEqual([
        'Too expensive',
        'No answer',
      ]);
      expect((await read(lead)).status).toBe('new');
      await lost().getByRole('button', { name: 'No answer' }).click();
      await dashboard.card('lost', lead.name).waitFor();
      await eventually(() => read(lead)).toMatchObject({ status: 'lost', lost_reason: 'No answer' });
    });

    it('cancels the move by Escape, by drag and by keyboard', async () => {
      const lead = await createLead(client, { name: 'Kept After All', status: 'won' });
      await dashboard.show(lead);
      const { page } = dashboard;
      await dashboard.card('won', lead.name).dragTo(dashboard.column('lost'));
      await lost().getByLabel('Reason').fill('A mistake');
      await page.keyboard.press('Escape');
      expect(await lost().isVisible()).toBe(false);
      await dashboard.card('won', lead.name).getByRole('link').focus();
      await page.keyboard.press('Shift+ArrowRight');
      await lost().waitFor();
      expect(await lost().getByLabel('Reason').inputValue()).toBe('');
      await lost().getByRole('button', { name: 'Cancel' }).click();
      expect(await page.locator(':focus').getAttribute('href')).toBe(`#${lead.id}`);
      expect(await dashboard.card('won', lead.name).count()).toBe(1);
      expect((await read(lead)).version).toBe(1);
    });

    it('can be skipped, by the menu and in the panel', async () => {
      const lead = await createLead(client, { name: 'No Reason' });
      await dashboard.show(lead);
      const { page } = dashboard;
      await page.getByLabel('Move No Reason').click();
      await page.getByRole('menuitem', { name: 'Lost' }).click();
      await lost().getByRole('button', { name: 'Skip the reason' }).click();
      await eventually(() => read(lead)).toMatchObject({ status: 'lost', lost_reason: null });

      const other = await createLead(client, { name: 'Lost In The Panel' });
      const panel = new LeadPanel(dashboard);
      await panel.open(other);
      await panel.element.getByLabel('Status').selectOption('Lost');
      await page.keyboard.press('Escape');
      await eventually(() => panel.element.getByLabel('Status').inputValue()).toBe('new');
      expect(await panel.element.isVisible()).toBe(true);
      await panel.element.getByLabel('Status').selectOption('Lost');
      await lost().getByLabel('Reason').fill('Moved away');
      await page.keyboard.press('Enter');
      await panel.detail('Lost because').getByText('Moved away').waitFor();
      await panel.element.getByRole('button', { name: 'Close' }).click();
    });
  });

  describe('adding a lead', () => {
    const form = () => dashboard.page.locator('#add');
    const field = (label: string) => form().getByLabel(label, { exact: true });

    it('creates it once for whoever is at the page, after the API accepts it', async () => {
      const { page } = dashboard;
      await dashboard.search('');
      await page.keyboard.press('Alt+N');
      await field('Name').fill('Added Lead');
      await eventually(() => field('Owner').inputValue()).toBe('Grace Hopper');
      dashboard.expected = [422];
      await page.keyboard.press('Enter');
      await form().getByText('Email is required.').waitFor();
      await field('Email').fill('added@example.com');
      await field('Value').fill('1200');
      await field('Currency').fill('CHF');
      await field('Tags, separated by commas').fill('fair');
      await form().getByRole('button', { name: 'Add lead' }).dblclick();
      await form().waitFor({ state: 'hidden' });
      await dashboard.card('new', 'Added Lead').waitFor();
      const { body } = await client.get('/leads?search=added@example.com').expect(200);
      expect(body.data).toMatchObject([
        {
          name: 'Added Lead',
          source: 'manual',
          status: 'new',
          assigned_user_id: grace,
          value: { amount: '1200.00', currency: 'CHF' },
          tags: ['fair'],
        },
      ]);
      await undo().getByRole('link', { name: 'Open' }).click();
      await new LeadPanel(dashboard).element.getByRole('heading', { name: 'Added Lead' }).waitFor();
      await page.keyboard.press('Escape');
    });

    it('opens the lead that has the address already, and keeps what was typed', async () => {
      const lead = await createLead(client, { name: 'Already Here' });
      const { page } = dashboard;
      await page.getByRole('button', { name: 'Add lead' }).click();
      await field('Name').fill('Once More');
      await field('Email').fill(lead.email);
      dashboard.expected = [422];
      await page.keyboard.press('Enter');
      await form().getByRole('link', { name: 'Open the existing lead' }).click();
      await form().waitFor({ state: 'hidden' });
      await new LeadPanel(dashboard).element.getByRole('heading', { name: 'Already Here' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Add lead' }).click();
      expect(await field('Name').inputValue()).toBe('Once More');
      await form().getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Add lead' }).click();
      expect(await field('Name').inputValue()).toBe('');
      await page.keyboard.press('Escape');
    });

    it('is not offered to a client that may only read', async () => {
      const reader = await Dashboard.signedIn(browser, app, { scopes: ['read'] });
      expect(await reader.page.getByRole('button', { name: 'Add lead' }).isVisible()).toBe(false);
      await reader.page.keyboard.press('Alt+N');
      expect(await reader.page.locator('#add').isVisible()).toBe(false);
      expect(reader.faults).toEqual([]);
      await reader.close();
    });
  });
});
