import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { runJobs } from '../support/jobs.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('the pipeline page without leads', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    page = dashboard.page;
  });

  beforeEach(async () => {
    await client.post('/sandbox/reset').expect(200);
    await dashboard.restart();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const nothing = () => page.locator('#nothing');

  it('says what to do, and fills the sandbox by one click', async () => {
    await dashboard.signInAnew();
    await nothing().getByRole('heading', { name: 'No leads yet' }).waitFor();
    expect(await page.locator('.columns').isVisible()).toBe(false);
    await page.getByText('Nothing has happened yet.').waitFor();
    await page.locator('#timeline').getByText('Nothing happened in this period.').waitFor();
    for (const colours of ['light', 'dark'] as const) expect(await seriousFaults(page, colours)).toEqual([]);
    const links = await nothing()
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    for (const link of links) {
      const response = await fetch(new URL(link ?? '', page.url()));
      expect(response.status, link ?? '').toBe(200);
    }
    const asked = page.waitForResponse('**/sandbox/seed');
    await nothing().getByRole('button', { name: 'Fill the sandbox with 200 made-up leads' }).click();
    await asked;
    await nothing().getByText('Filling the sandbox…').waitFor();
    await runJobs(app.sandbox);
    await page.clock.fastForward(500);
    await eventually(() => page.locator('#found').textContent()).toBe('200 leads');
    expect(await nothing().isVisible()).toBe(false);
    expect(await page.locator('.columns').isVisible()).toBe(true);
    expect(dashboard.faults).toEqual([]);
  });

  it('offers no made-up leads in production', async () => {
    await dashboard.signIn(await app.credentials(['read', 'write']), 'production');
    await nothing().getByText('Add the first one').waitFor();
    expect(await nothing().getByRole('button').allTextContents()).toEqual(['Add a lead']);
    await nothing().getByRole('button').click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
  });

  it('shows a client that may only read nothing to do, and the first lead as soon as there is one', async () => {
    await dashboard.signInAnew(['read']);
    await nothing().getByText('They appear here as soon as there are any.').waitFor();
    expect(await nothing().getByRole('button').count()).toBe(0);
    const lead = await createLead(client, { name: 'The first' });
    await dashboard.look();
    await dashboard.card('new', lead.name).waitFor();
    expect(await nothing().isVisible()).toBe(false);
  });

  it('offers to show all leads when none matches', async () => {
    const lead = await createLead(client, { name: 'Only one' });
    await dashboard.signInAnew();
    await dashboard.search('nobody');
    await nothing().getByRole('heading', { name: 'No lead matches' }).waitFor();
    for (const colours of ['light', 'dark'] as const) expect(await seriousFaults(page, colours)).toEqual([]);
    await nothing().getByRole('button', { name: 'Show all leads' }).click();
    await dashboard.card('new', lead.name).waitFor();
    expect(await page.getByLabel('Search the board').inputValue()).toBe('');
    expect(dashboard.faults).toEqual([]);
  });

  describe('with a client that may only read', () => {
    it('has no handles, and moves nothing by the mouse or by keyboard', async () => {
      const lead = await createLead(client, { name: 'Fixed' });
      await dashboard.signInAnew(['read']);
      const card = dashboard.card('new', lead.name);
      await card.waitFor();
      expect(await card.getByRole('button', { name: /Move/ }).count()).toBe(0);
      expect(await card.getAttribute('draggable')).toBe('false');
      await page.getByText('You can look, but not change leads').waitFor();
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.method()));
      await card.dragTo(page.locator('#board-title'));
      await page.getByLabel('Period of the reports').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Shift+ArrowRight');
      await dashboard.look();
      expect(sent.filter((method) => method !== 'GET')).toEqual([]);
      expect(await dashboard.card('new', lead.name).count()).toBe(1);
      expect(dashboard.faults).toEqual([]);
    });
  });
});
