import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../generated/api.ts';
import { environments } from '../../src/environment.ts';
import { readDocument } from '../../src/http/validation/document.ts';
import { DAY } from '../../src/values/time.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, seedSandbox } from './dashboard-page.ts';

const SOURCES = ['website', 'referral', 'api', 'manual'];

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await seedSandbox(app, 40);
});

afterAll(() => app.close());

describe('the pipeline page', () => {
  let origin: TestClient;

  beforeAll(() => {
    origin = new TestClient(app.url);
  });

  it('is served with and without a trailing slash, also for HEAD', async () => {
    await origin.get('/dashboard').expect(302).expect('Location', '/dashboard/');
    await origin.get('/dashboard/index.html').expect(302).expect('Location', '/dashboard/');
    await origin.head('/dashboard/').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
  });

  it("allows only its own files and its own host's API", async () => {
    const { headers } = await origin.get('/dashboard/').expect(200);
    expect(headers['content-security-policy']?.split(';')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it('loads only its own files, all of which exist', async () => {
    const { text } = await origin.get('/dashboard/').expect(200);
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => `${address}`);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      const { origin: host, pathname } = new URL(address, `${app.url}/dashboard/`);
      expect(host).toBe(app.url);
      await origin.get(pathname).expect(200).expect('X-Content-Type-Options', 'nosniff');
    }
  });

  it('answers unknown paths with JSON', async () => {
    const paths = ['nothing.js', '..%2ftsconfig.json', '../tsconfig.json', 'uPlot.cjs.js', '%zz'];
    for (const path of paths) {
      const { body } = await origin.get(`/dashboard/${path}`).expect(404);
      expect(body.code).toBe('not_found');
    }
    await origin.post('/dashboard/').expect(404);
  });
});

describe.skipIf(executablePath === undefined)('the pipeline page in a browser', { timeout: 150_000 }, () => {
  let browser: Browser;
  /** Shows the board. */
  let signedIn: Dashboard;
  /** Shows the form. */
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    signedIn = await Dashboard.signedIn(browser, app);
    dashboard = await Dashboard.open(browser, app);
    page = dashboard.page;
  });

  afterAll(() => browser?.close());

  it('explains wrong credentials in the form, then signs in with the right ones', async () => {
    await dashboard.restart();
    const credentials = await app.credentials(['read'], 'sandbox');
    dashboard.expected = [401];
    await dashboard.signIn({ ...credentials, client_secret: 'wrong' }, 'sandbox');
    const error = page.getByRole('alert').filter({ hasText: 'its secret is wrong' });
    await error.waitFor();
    // A sandbox secret is invalid in production.
    await dashboard.signIn(credentials, 'production');
    await error.waitFor();
    dashboard.expected = [];
    await dashboard.signIn(credentials, 'sandbox');
    await dashboard.loaded();
    expect(await page.locator('#sign-in').isVisible()).toBe(false);
    expect(dashboard.faults).toEqual([]);
  });

  it.each(environments)('shows the leads of %s', async (environment) => {
    await dashboard.restart();
    const someone = await app.client(['leads:write'], environment);
    const { name, status } = await createLead(someone, { name: `Lead of ${environment}` });
    await dashboard.signIn(await app.credentials(['read', 'write'], environment), environment);
    await dashboard.card(status, name).waitFor();
    expect(await dashboard.page.locator('#environment').textContent()).toMatch(new RegExp(environment, 'i'));
    expect(dashboard.faults).toEqual([]);
  });

  it('keeps the secret and the token out of every storage, and forgets them on signing out', async () => {
    await dashboard.restart();
    const asked = page.waitForRequest('**/events?**');
    await dashboard.signInAnew();
    const authorization = (await asked).headers().authorization ?? '';
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).toBe('[{},{},""]');
    expect(await page.locator('#client-secret').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Client secret').waitFor();
    const revoked = new TestClient(`${app.url}/sandbox/v1`, { Authorization: authorization });
    await eventually(async () => (await revoked.get('/auth/me')).body.code).toBe('token_revoked');
    expect(dashboard.faults).toEqual([]);
  });

  it.each([
    { window: 'Last 30 days', days: 30 },
    { window: 'Last 90 days', days: 90 },
    { window: 'Last 12 months', days: 365 },
  ])('shows the figures of the API: $window', async ({ window, days }) => {
    const { page } = signedIn;
    // The page may still be getting the figures of the window before.
    const isOfWindow = (url: URL) => {
      const from = Date.parse(url.searchParams.get('from') ?? '');
      return Math.abs(Date.now() - from - (days - 1) * DAY) < 2 * DAY;
    };
    const answers = Promise.all(
      ['/analytics/funnel', '/analytics/timeseries'].map((path) =>
        page.waitForResponse((response) => {
          const url = new URL(response.url());
          return url.pathname.endsWith(path) && isOfWindow(url);
        }),
      ),
    );
    await page.getByLabel('Period of the reports').selectOption(window);
    const [funnel, series] = await Promise.all((await answers).map((response) => response.json()));
    expect(Date.parse(series.meta.to) - Date.parse(series.meta.from)).toBe((days - 1) * DAY);
    expect(funnel.meta.from).toBe(series.meta.from);

    const stages: components['schemas']['FunnelStage'][] = funnel.data.stages;
    const reached = page.locator('#funnel tbody td:nth-child(2)');
    await eventually(() => reached.allTextContents()).toEqual(
      stages.map(({ reached }) => reached.toLocaleString('en')),
    );

    const points: components['schemas']['TimeseriesPoint'][] = series.data;
    const rows = Map.groupBy(points, ({ period_start }) => period_start);
    const figures = [...rows.values()].map((row) => {
      const counts = SOURCES.map((source) => row.find(({ group }) => group === source)?.created ?? 0);
      return [...counts, counts.reduce((sum, count) => sum + count)];
    });
    const shown = page.locator('#timeline tbody tr');
    const readFigures = () =>
      shown.evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
      );
    await eventually(readFigures).toEqual(figures);
    expect(signedIn.faults).toEqual([]);
  });

  it('has a column for each status of the document, with the total of the API', async () => {
    const { LeadStatus } = (await readDocument()).components?.schemas ?? {};
    const statuses = LeadStatus !== undefined && 'enum' in LeadStatus ? (LeadStatus.enum ?? []) : [];
    await signedIn.look();
    const columns = signedIn.page.locator('.column');
    expect(
      await columns.evaluateAll((all) => all.map((column) => column.getAttribute('data-status'))),
    ).toEqual(statuses);
    for (const status of statuses) {
      const { body } = await client.get(`/leads?status=${status}&per_page=1`);
      await eventually(() => signedIn.total(status)).toBe(body.meta.total);
    }
  });

  it('shows the latest events, the newest first', async () => {
    await dashboard.restart();
    const lead = await createLead(client, {
      name: 'Joan Clarke',
      source: 'referral',
      source_detail: 'Trade show',
    });
    await client.patch(`/leads/${lead.id}`, { status: 'qualified' }).expect(200);
    await client.patch(`/leads/${lead.id}`, { company: 'Hut 8' }).expect(200);
    await dashboard.signInAnew();
    const items = dashboard.page.locator('#events li', { hasText: 'Joan Clarke' });
    await items.first().waitFor();
    expect(await items.locator('.what').allTextContents()).toEqual([
      'changed: company',
      'new → qualified',
      'created as new, source referral (\u2068Trade show\u2069)',
    ]);
    expect(await dashboard.page.locator('#events li').count()).toBe(12);
  });

  it('shows each part as soon as it is loaded, without waiting for the others', async () => {
    await dashboard.restart();
    await page.route(/\/analytics\/|status=new/, () => {});
    await dashboard.signIn(await app.credentials(['read'], 'sandbox'), 'sandbox');
    await dashboard.column('won').locator('.card').first().waitFor();
    await page.locator('#events li').first().waitFor();
    expect(await page.locator('#funnel .state').textContent()).toBe('Loading…');
  });

  it('names the missing scope of a part, and shows the other parts', async () => {
    await dashboard.restart();
    dashboard.expected = [403];
    await dashboard.signIn(await app.credentials(['leads:read'], 'sandbox'), 'sandbox');
    await dashboard.column('won').locator('.card').first().waitFor();
    await dashboard.page.locator('#funnel', { hasText: 'analytics:read' }).waitFor();
    await dashboard.page.locator('#live', { hasText: /Not live: .*events:read/ }).waitFor();
    expect(dashboard.faults).toEqual([]);
  });

  it('never turns text into markup, not even through a bug in the page', async () => {
    await dashboard.restart();
    const mistake = page.evaluate(`document.body.innerHTML = '<b>text</b>'`);
    await expect(mistake).rejects.toThrow('TrustedHTML');
  });
});
