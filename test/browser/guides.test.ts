import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { eventually, PHONE } from './dashboard-page.ts';

const WIDE = { viewport: { width: 1400, height: 900 } };

/** What they type, and where the answer is. */
const newcomers = [
  ['401', 'Errors › All codes › 401 Unauthorized'],
  ['account', 'The model on a page › What others call it › Account, organization, company'],
  ['cursor', 'Lists and search › Pagination and cursors'],
  ['custom field', 'The model on a page › What others call it › Custom field, property'],
  ['deal', 'The model on a page › What others call it › Deal, opportunity'],
  ['delete a person', 'Recipes › Delete a person and prove it'],
  ['duplicate_email', 'Error codes › duplicate_email'],
  ['idempotency key', 'Idempotency › Repeat a request safely: Idempotency-Key'],
  ['merge duplicates', 'Recipes › Merge duplicates'],
  ['opportunity', 'The model on a page › What others call it › Deal, opportunity'],
  ['owner', 'The model on a page › What others call it › Owner, assignee'],
  ['pagination', 'Lists and search › Pagination and cursors'],
  ['rate limit', 'Limits › Rate limits'],
  ['stage', 'The model on a page › What others call it › Stage, pipeline'],
  ['task', 'The model on a page › What others call it › Task, reminder, next step'],
  ['trash', 'The model on a page › What others call it › Trash, recycle bin, restore'],
  ['undo', 'The model on a page › What others call it › Undo'],
  ['webhook signature', 'Webhooks › Check the signature'],
] as const;

describe.skipIf(executablePath === undefined)('the guides in a browser', { timeout: 150_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let faults: string[];

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  async function open(path: string, options: BrowserContextOptions = WIDE): Promise<Page> {
    const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
    page.setDefaultTimeout(45_000);
    faults = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== app.url) faults.push(`${request.url()} is not ours`);
    });
    await page.goto(app.url + path);
    return page;
  }

  /** Opens the search as a keyboard does, and types. */
  async function searchFor(page: Page, query: string): Promise<void> {
    // The page has its keys when it is hydrated.
    await eventually(async () => {
      await page.keyboard.press('/');
      return page.locator('.VPLocalSearchBox input').isVisible();
    }).toBe(true);
    await page.locator('.VPLocalSearchBox input').fill(query);
  }

  /** The results as `Chapter › Heading`. */
  const results = (page: Page) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.VPLocalSearchBox .result .titles')].map((titles) =>
        [...titles.querySelectorAll('.title')].map(({ textContent }) => textContent.trim()).filter(Boolean).join(' › '))`,
    );

  describe.each([
    ['on a wide screen', WIDE],
    ['on a phone', PHONE],
  ])('%s', (_, options) => {
    it.each(['/', '/guides/webhooks', '/guides/errors', '/guides/reference/leads', '/changelog'])(
      'are accessible and fit, light and dark: %s',
      async (path) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await open(path, { ...options, colorScheme });
          await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
          expect(await seriousFaults(page, colorScheme)).toEqual([]);
          const excess = 'document.scrollingElement.scrollWidth - document.documentElement.clientWidth';
          expect(await page.evaluate<number>(excess)).toBe(0);
          expect(faults).toEqual([]);
          await page.close();
        }
      },
    );
  });

  it('are searched by keyboard: a result names its chapter and heading, and leads there', async () => {
    const page = await open('/guides/');
    await searchFor(page, 'pause secret');
    await eventually(async () => (await results(page))[0]).toMatch(
      /^Webhooks › Pause, change the secret, delete/,
    );
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/guides/webhooks#pause-change-the-secret-delete`);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('find operations by their name and by their id', async () => {
    const page = await open('/guides/');
    for (const query of ['createInboundHook', 'create an inbond hook']) {
      await searchFor(page, query);
      await eventually(async () => (await results(page)).slice(0, 3).join()).toContain(
        'Inbound hooks › Create an inbound hook',
      );
      await page.keyboard.press('Escape');
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it('answer what newcomers search for, also in the words of other products, in the first two places', async () => {
    const page = await open('/guides/');
    const wrong: string[][] = [];
    for (const [query, place] of newcomers) {
      await searchFor(page, query);
      const found = async () => (await results(page)).slice(0, 2);
      // The results of the query before stay until those of this one are there.
      await eventually(found)
        .toContain(place)
        .catch(async () => wrong.push([query, ...(await found())]));
      await page.keyboard.press('Escape');
    }
    expect(wrong).toEqual([]);
    await page.close();
  });

  it('lead from a request in the text to its operation, from there to the docs page, and back', async () => {
    const page = await open('/guides/bulk-jobs');
    await page.getByRole('main').getByRole('link', { name: 'POST /bulk-jobs', exact: true }).first().click();
    await page.locator('a[href="/docs/#/Bulk%20jobs/createBulkJob"]').click();
    const operation = page.locator('.opblock.is-open[id$="-createBulkJob"]');
    const link = operation.getByRole('link', { name: 'Reference, with code' });
    expect(await link.getAttribute('href')).toBe('../guides/reference/bulk-jobs#createbulkjob');
    await page.close();
  });

  it('show code in three languages', async () => {
    const page = await open('/guides/reference/leads');
    const group = page.locator('#createlead ~ .vp-code-group').first();
    await group.getByText('Python', { exact: true }).click();
    await group.getByText('requests.post(').waitFor();
    await group.getByText('TypeScript', { exact: true }).click();
    await group.getByText('createClient').first().waitFor();
    await page.close();
  });

  it('copy a block of code', async () => {
    const page = await open('/guides/webhooks', {
      ...WIDE,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('div[class*="language-"]').first();
    await block.getByRole('button', { name: 'Copy Code' }).click();
    await eventually(() => page.evaluate<string>('navigator.clipboard.readText()')).toMatch(
      /^WEBHOOK=.+\nHOOK=/,
    );
    await page.close();
  });

  it('can be read without JavaScript', async () => {
    const page = await open('/guides/webhooks', { ...WIDE, javaScriptEnabled: false });
    await page.getByRole('main').getByRole('link', { name: 'Recover from an outage' }).first().click();
    expect(page.url()).toBe(`${app.url}/guides/webhooks#recover-from-an-outage`);
    await page.close();
  });

  it('show on their first page whether each environment is ready', async () => {
    const page = await open('/');
    const state = (name: string) =>
      page.locator('.service-state').getByRole('row', { name }).getByRole('cell').last();
    await eventually(() => state('Production').textContent()).toBe('Ready');
    await eventually(() => state('Sandbox').textContent()).toBe('Ready');
    const message = 'The production database does not respond.';
    await page.route('**/readyz', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message } }),
    );
    await page.reload();
    await eventually(() => state('Production').textContent()).toBe('Unavailable');
    expect(await state('Sandbox').textContent()).toBe('Unknown');
    await page.getByText(message).waitFor();
    await page.route('**/readyz', (route) => route.abort());
    await page.reload();
    await page.getByText('The service does not answer.').waitFor();
    await page.close();
  });
});
