import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClientCredentials, disableClient } from '../../src/clients/operator.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { seed } from '../support/bulk-jobs.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, FEED, seedSandbox } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('the live pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  /** The client of the page that most tests share. */
  let credentials: ClientCredentials;
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await seedSandbox(app, 100);
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    page = dashboard.page;
    credentials = await dashboard.signInAnew();
  });

  beforeEach(() => dashboard.begin());

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** Waits until the page follows the log. */
  const isLive = ({ page }: Dashboard) => page.locator('#live', { hasText: /^Live$/ }).waitFor();

  /** The requests that the page sends while its clock advances by this much. Milliseconds. */
  async function requestsWithin(time: number): Promise<string[]> {
    const asked: string[] = [];
    const listener = (request: Request) => asked.push(request.url());
    page.on('request', listener);
    await page.clock.fastForward(time);
    await sleep(500);
    page.off('request', listener);
    return asked;
  }

  it("shows other clients' changes", async () => {
    await isLive(dashboard);
    const reached = page.locator('#funnel tbody tr').first().locator('td').first();
    const before = { total: await dashboard.total('new'), reached: Number(await reached.textContent()) };
    const lead = await createLead(client, { name: 'Hedy Lamarr' });
    await dashboard.look();
    await dashboard.card('new', lead.name).waitFor();
    expect(await dashboard.total('new')).toBe(before.total + 1);
    await page.locator('#events li', { hasText: 'Hedy Lamarr' }).waitFor();
    // Reports are reloaded some seconds later.
    await page.clock.fastForward(10_000);
    await eventually(async () => Number(await reached.textContent())).toBe(before.reached + 1);

    await client
      .patch(`/leads/${lead.id}`, { status: 'qualified', company: 'Frequency Hopping' })
      .expect(200);
    await dashboard.look();
    await dashboard.card('qualified', lead.name).getByText('Frequency Hopping').waitFor();
    expect(await dashboard.card('new', lead.name).count()).toBe(0);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await dashboard.look();
    await dashboard.card('qualified', lead.name).waitFor({ state: 'detached' });
    await page.locator('#events li[data-type="lead.deleted"]').waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('keeps the focus and the pages of a column when it changes', async () => {
    const column = dashboard.column('lost');
    await column.getByRole('button', { name: 'Show more' }).click();
    await eventually(() => column.locator('.card').count()).toBeGreaterThan(20);
    const focused = await page.locator(':focus').getAttribute('href');
    expect(await page.locator('.column:focus-within').getAttribute('data-status')).toBe('lost');
    const lead = await createLead(client, { name: 'Evelyn Boyd Granville', status: 'lost' });
    await dashboard.look();
    await dashboard.card('lost', lead.name).waitFor();
    expect(await column.locator('.card').count()).toBeGreaterThan(20);
    expect(await page.locator(':focus').getAttribute('href')).toBe(focused);
  });

  it('signs in again by itself when the token is revoked', async () => {
    dashboard.expected = [401];
    const asked = page.waitForRequest(FEED);
    await dashboard.look();
    const { authorization = '' } = (await asked).headers();
    const renewed = page.waitForResponse('**/auth/token');
    const token = authorization.replace('Bearer ', '');
    await client.post('/auth/revoke', { token, ...credentials }).expect(200);
    await dashboard.look();
    expect((await renewed).status()).toBe(200);
    const lead = await createLead(client, { name: 'Sister Mary Kenneth Keller' });
    await dashboard.look();
    await dashboard.card('new', lead.name).waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it.each([
    { status: 429, reason: 'Rate limit exceeded.' },
    { status: 503, reason: 'The service cannot reach its database.' },
  ])('waits as long as a $status requires, and shows that it waits', async ({ status, reason }) => {
    dashboard.expected = [status];
    const asking = Promise.withResolvers<Route>();
    await page.route(FEED, asking.resolve, { times: 1 });
    await dashboard.look();
    const request = await asking.promise;
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
    await request.fulfill({
      status,
      headers: { 'Retry-After': '4' },
      json: { message: reason, code: 'test' },
    });
    await page.getByText(`${reason} Trying again in 4 s.`).waitFor();
    const tooEarly = await requestsWithin(3_900);
    expect(tooEarly.filter((url) => FEED.test(url))).toEqual([]);
    const again = page.waitForRequest(FEED);
    await page.clock.runFor(100);
    await again;
    await isLive(dashboard);
    await page.clock.resume();
    expect(dashboard.faults).toEqual([]);
  });

  it('shows that the service is unreachable, and continues when it is back', async () => {
    await page.context().setOffline(true);
    await dashboard.look();
    await page.getByText('The service can’t be reached.').waitFor();
    const lead = await createLead(client, { name: 'Mary Kenneth' });
    await page.context().setOffline(false);
    await dashboard.look();
    await dashboard.card('new', lead.name).waitFor();
    await isLive(dashboard);
  });

  it('stops while the tab is hidden', async () => {
    await dashboard.restart();
    credentials = await dashboard.signInAnew();
    for (const part of ['#funnel tbody tr', '.chart canvas', '#events li'])
      await page.locator(part).first().waitFor();
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    expect(await requestsWithin(300_000)).toEqual([]);
    const asked = page.waitForRequest(FEED);
    await hide(false);
    await asked;
  });

  it('reloads when events that it has not read are deleted', async () => {
    dashboard.expected = [410];
    const release = await dashboard.holdEvents();
    await createLead(client);
    await client.post('/sandbox/reset').expect(200);
    await release();
    await page.locator('#found', { hasText: /^0 leads$/ }).waitFor();
    await eventually(() => page.locator('#events li').count()).toBe(0);
    const lead = await createLead(client, { name: 'The first' });
    await dashboard.look();
    await dashboard.card('new', lead.name).waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('reloads when there are too many new events to follow', async () => {
    const release = await dashboard.holdEvents();
    await seed(app, client, { seed: 8, leads: 110 });
    await release();
    const { body } = await client.get('/leads?per_page=1');
    await page.getByText(`${body.meta.total} leads`, { exact: true }).waitFor();
    await eventually(() => page.locator('#events li').count()).toBe(12);
    expect(dashboard.faults).toEqual([]);
  });

  it('shows changes without an event within a minute', async () => {
    await isLive(dashboard);
    await client.post('/sandbox/reset').expect(200);
    await page.clock.fastForward(60_000);
    await page.locator('#found', { hasText: /^0 leads$/ }).waitFor();
  });

  it('signs in again by itself before the token expires', async () => {
    await dashboard.restart();
    let tokens = 0;
    await page.route('**/auth/token', async (route) => {
      tokens += 1;
      const response = await route.fetch();
      const body = await response.json();
      // The page renews tokens a minute before they expire, so the first one is immediately too old.
      await route.fulfill({ response, json: { ...body, expires_in: tokens === 1 ? 60 : 3600 } });
    });
    await dashboard.signInAnew(['read']);
    await isLive(dashboard);
    expect(tokens).toBe(2);
    expect(dashboard.faults).toEqual([]);
  });

  it('shows that the client may no longer sign in, and sends no further requests', async () => {
    await dashboard.restart();
    dashboard.expected = [401];
    const { client_id } = await dashboard.signInAnew(['read']);
    await disableClient(app.sandbox, client_id);
    await dashboard.look();
    await page.getByText(/Reload the page to sign in again/).waitFor();
    await page.getByText(/^Not live/).waitFor();
    expect(await requestsWithin(300_000)).toEqual([]);
  });
});
