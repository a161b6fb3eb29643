import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableClient } from '../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, FEED, seedSandbox } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('the live pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;

  beforeAll(async () => {
    app = await startTestApp();
    client = await seedSandbox(app, 100);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** Whether the page follows the log. */
  const isLive = ({ page }: Dashboard) => page.locator('#live', { hasText: /^Live$/ }).waitFor();

  it('shows what other clients do', async () => {
    const dashboard = await Dashboard.open(browser, app);
    await dashboard.page.clock.install();
    await dashboard.signIn(await app.credentials(['read'], 'sandbox'), 'sandbox');
    await dashboard.loaded();
    await isLive(dashboard);
    const reached = dashboard.page.locator('#funnel tbody tr').first().locator('td').first();
    const before = { total: await dashboard.total('new'), reached: Number(await reached.textContent()) };
    const lead = await createLead(client, { name: 'Hedy Lamarr' });
    await dashboard.card('new', lead.name).waitFor();
    expect(await dashboard.total('new')).toBe(before.total + 1);
    await dashboard.page.locator('#events li', { hasText: 'Hedy Lamarr' }).waitFor();
    // Reports follow some seconds later.
    await dashboard.page.clock.fastForward(10_000);
    await eventually(async () => Number(await reached.textContent())).toBe(before.reached + 1);

    await client
      .patch(`/leads/${lead.id}`, { status: 'qualified', company: 'Frequency Hopping' })
      .expect(200);
    await dashboard.card('qualified', lead.name).getByText('Frequency Hopping').waitFor();
    expect(await dashboard.card('new', lead.name).count()).toBe(0);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await dashboard.card('qualified', lead.name).waitFor({ state: 'detached' });
    await dashboard.page.locator('#events li', { hasText: 'lead.deleted' }).waitFor();
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('keeps the focus and the pages of a column when it changes', async () => {
    const dashboard = await Dashboard.signedIn(browser, app);
    const { page } = dashboard;
    await isLive(dashboard);
    const column = dashboard.column('lost');
    await column.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => column.locator('.card').count()).toBeGreaterThan(20);
    const focused = await page.locator(':focus').getAttribute('aria-label');
    expect(focused).toContain('now lost');
    const lead = await createLead(client, { name: 'Evelyn Boyd Granville', status: 'lost' });
    await dashboard.card('lost', lead.name).waitFor();
    expect(await column.locator('.card').count()).toBeGreaterThan(20);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(focused);
    await dashboard.close();
  });

  it('signs in again by itself before the token expires', async () => {
    const dashboard = await Dashboard.open(browser, app);
    const { page } = dashboard;
    let tokens = 0;
    await page.route('**/auth/token', async (route) => {
      tokens += 1;
      const response = await route.fetch();
      const body = await response.json();
      // A minute before the end is the end: the first token is old at once.
      await route.fulfill({ response, json: { ...body, expires_in: tokens === 1 ? 60 : 3600 } });
    });
    await dashboard.signIn(await app.credentials(['read'], 'sandbox'), 'sandbox');
    await dashboard.loaded();
    await isLive(dashboard);
    expect(tokens).toBe(2);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('signs in again by itself when the token was revoked', async () => {
    const dashboard = await Dashboard.open(browser, app);
    const { page } = dashboard;
    dashboard.expected = [401];
    const credentials = await app.credentials(['read', 'write'], 'sandbox');
    await dashboard.signIn(credentials, 'sandbox');
    await dashboard.loaded();
    const { authorization = '' } = (await page.waitForRequest(FEED)).headers();
    const renewed = page.waitForResponse('**/auth/token');
    const token = authorization.replace('Bearer ', '');
    await client.post('/auth/revoke', { token, ...credentials }).expect(200);
    expect((await renewed).status()).toBe(200);
    const lead = await createLead(client, { name: 'Sister Mary Kenneth Keller' });
    await dashboard.card('new', lead.name).waitFor();
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('says so when the client may no longer sign in, and asks for nothing more', async () => {
    const dashboard = await Dashboard.open(browser, app);
    dashboard.expected = [401];
    await dashboard.page.clock.install();
    const credentials = await app.credentials(['read'], 'sandbox');
    await dashboard.signIn(credentials, 'sandbox');
    await dashboard.loaded();
    await disableClient(app.sandbox, credentials.client_id);
    await dashboard.page.getByText(/Reload the page to sign in again/).waitFor();
    await dashboard.page.getByText(/^Not live/).waitFor();
    const asked: string[] = [];
    dashboard.page.on('request', (request) => asked.push(request.url()));
    await dashboard.page.clock.fastForward(300_000);
    await sleep(500);
    expect(asked).toEqual([]);
    await dashboard.close();
  });

  it.each([
    { status: 429, reason: 'Rate limit exceeded.' },
    { status: 503, reason: 'The service cannot reach its database.' },
  ])('waits as long as a $status says, and says so', async ({ status, reason }) => {
    const dashboard = await Dashboard.signedIn(browser, app);
    const { page } = dashboard;
    dashboard.expected = [status];
    await page.route(
      FEED,
      (route) =>
        route.fulfill({ status, headers: { 'Retry-After': '4' }, json: { message: reason, code: 'test' } }),
      { times: 1 },
    );
    const asked: number[] = [];
    page.on('request', (request: Request) => {
      if (FEED.test(request.url())) asked.push(performance.now());
    });
    await page.getByText(`${reason} Trying again in 4 s.`).waitFor();
    await isLive(dashboard);
    const [refused = 0, again = 0] = asked.slice(-2);
    // Both times are taken here, not in the browser, so they may be a little late.
    expect(again - refused).toBeGreaterThan(3_800);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('says so when the service is away, and goes on when it is back', async () => {
    const dashboard = await Dashboard.signedIn(browser, app);
    const { page } = dashboard;
    await page.context().setOffline(true);
    await page.getByText('The service can’t be reached.').waitFor();
    const lead = await createLead(client, { name: 'Mary Kenneth' });
    await page.context().setOffline(false);
    await dashboard.card('new', lead.name).waitFor();
    await isLive(dashboard);
    await dashboard.close();
  });

  it('stops while the tab is hidden', async () => {
    const dashboard = await Dashboard.open(browser, app);
    const { page } = dashboard;
    await page.clock.install();
    await dashboard.signIn(await app.credentials(['read'], 'sandbox'), 'sandbox');
    await dashboard.loaded();
    for (const part of ['#funnel tbody tr', '.chart canvas', '#events li'])
      await page.locator(part).first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    await page.clock.fastForward(300_000);
    await sleep(500);
    expect(asked).toEqual([]);
    await hide(false);
    await page.waitForRequest(FEED);
    await dashboard.close();
  });

  it('begins anew when events are gone that it has not read', async () => {
    const dashboard = await Dashboard.signedIn(browser, app);
    dashboard.expected = [410];
    const release = await dashboard.holdEvents();
    await createLead(client);
    await client.post('/sandbox/reset').expect(200);
    await release();
    await dashboard.page.getByText('0 leads', { exact: true }).waitFor();
    await eventually(() => dashboard.page.locator('#events li').count()).toBe(0);
    const lead = await createLead(client, { name: 'The first' });
    await dashboard.card('new', lead.name).waitFor();
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('reads everything again when more has happened than it can follow', async () => {
    const dashboard = await Dashboard.signedIn(browser, app);
    const release = await dashboard.holdEvents();
    await client.post('/sandbox/seed', { seed: 8, leads: 200 }).expect(201);
    await release();
    const { body } = await client.get('/leads?per_page=1');
    await dashboard.page.getByText(`${body.meta.total} leads`, { exact: true }).waitFor();
    await eventually(() => dashboard.page.locator('#events li').count()).toBe(12);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('sees within a minute what no event tells', async () => {
    const dashboard = await Dashboard.open(browser, app);
    const { page } = dashboard;
    await page.clock.install();
    await dashboard.signIn(await app.credentials(['read'], 'sandbox'), 'sandbox');
    await dashboard.loaded();
    await isLive(dashboard);
    await client.post('/sandbox/reset').expect(200);
    await page.clock.fastForward(60_000);
    await page.getByText('0 leads', { exact: true }).waitFor();
    await dashboard.close();
  });
});
