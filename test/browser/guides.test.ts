import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { eventually, PHONE } from './dashboard-page.ts';

const WIDE = { viewport: { width: 1400, height: 900 } };

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

  /** Types into the field that `/` moves to. */
  async function searchFor(page: Page, query: string): Promise<void> {
    await page.locator('#search').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await page.getByText(/^(\d+|Nothing) found$/).waitFor();
  }

  describe.each([
    ['on a wide screen', WIDE],
    ['on a phone', PHONE],
  ])('%s', (_, options) => {
    it.each(['/', '/guides/', '/guides/webhooks', '/guides/errors', '/changelog'])(
      'are accessible and fit, light and dark: %s',
      async (path) => {
        const page = await open(path, options);
        if (path === '/guides/webhooks') {
          await searchFor(page, 'webhook');
          await page.evaluate('for (const list of document.querySelectorAll("details")) list.open = true');
        }
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await seriousFaults(page, colorScheme)).toEqual([]);
        }
        const excess = 'document.scrollingElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate<number>(excess)).toBe(0);
        expect(faults).toEqual([]);
        await page.close();
      },
    );
  });

  it('are searched by keyboard: a result names its chapter and heading, and leads there', async () => {
    const page = await open('/');
    await searchFor(page, 'pause secret');
    const first = page.locator('#search li a').first();
    expect(await first.textContent()).toMatch(/^Webhooks › Pause, change the secret, delete/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/guides/webhooks#pause-change-the-secret-delete`);
    expect(await page.getByRole('heading', { name: 'Pause, change the secret, delete' }).isVisible()).toBe(
      true,
    );
    expect(faults).toEqual([]);
    await page.close();
  });

  it('find operations by their path and by their id, and open them in the docs page', async () => {
    const page = await open('/guides/');
    for (const query of ['POST /inbound-hooks', 'createInboundHook', 'create an inbond hook']) {
      await searchFor(page, query);
      const titles = await page.locator('#search li a').allTextContents();
      expect(titles.slice(0, 3).join(), query).toContain('POST /inbound-hooks Create an inbound hook');
      await page.keyboard.press('Escape');
      expect(await page.locator('#search .panel').isHidden()).toBe(true);
      await page.locator('#query').fill('');
      await page.locator('#query').blur();
    }
    await searchFor(page, 'createInboundHook');
    await page.keyboard.press('Enter');
    await page.locator('.opblock.is-open[id$="-createInboundHook"]').waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('answer what newcomers search for with the best place first', async () => {
    const page = await open('/guides/');
    const first =
      '[...document.querySelector("#search li a")?.childNodes ?? []].slice(0, -1).map((node) => node.textContent).join("")';
    for (const [query, place] of [
      ['401', 'Errors › 401 Unauthorized'],
      ['api key', 'Authentication'],
      ['cursor', 'Lists and search › Pagination and cursors'],
      ['DATABASE_URL', 'Configuration › Variables'],
      ['delete a person', 'Recipes › Delete a person and prove it'],
      ['duplicate_email', 'Errors › 422 Unprocessable Entity'],
      ['how to filter by tag', 'Lists and search › Filter'],
      ['idempotency key', 'Idempotency › Repeat a request safely: Idempotency-Key'],
      ['import csv', 'Imports › Import it'],
      ['merge duplicates', 'Recipes › Merge duplicates'],
      ['pagination', 'Lists and search › Pagination and cursors'],
      ['phone', 'How texts are read'],
      ['rate limit', 'Limits › Rate limits'],
      ['sandbox', 'Environments'],
      ['upload file', 'Imports › The file'],
      ['webhook signature', 'Webhooks › Check the signature'],
    ] as const) {
      await page.locator('#query').fill(query);
      await eventually(async () => [query, await page.evaluate<string>(first)]).toEqual([query, place]);
    }
    await page.close();
  });

  it('say so if nothing is found, and if the search can not be loaded, which is tried again', async () => {
    const page = await open('/guides/');
    let isDown = true;
    await page.route('**/guides/search.json', (route) => (isDown ? route.abort() : route.continue()));
    await page.keyboard.press('/');
    await page.keyboard.type('x');
    await page.getByText('The search could not be loaded.').waitFor();
    isDown = false;
    await page.keyboard.type('yzzy');
    await page.getByText('Nothing found').waitFor();
    await page.close();
  });

  it('lead from a request in the text to its operation', async () => {
    const page = await open('/guides/bulk-jobs');
    await page.getByRole('main').getByRole('link', { name: 'POST /bulk-jobs', exact: true }).first().click();
    await page.locator('.opblock.is-open[id$="-createBulkJob"]').waitFor();
    await page.close();
  });

  it('copy a block of code', async () => {
    const page = await open('/guides/webhooks', {
      ...WIDE,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('.code').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^WEBHOOK=.+\nHOOK=/);
    expect(copied).toBe(await block.locator('pre').textContent());
    await page.close();
  });

  it('let a keyboard scroll wide code and wide tables', async () => {
    const page = await open('/guides/webhooks', PHONE);
    const wide =
      '[...document.querySelectorAll("pre, .table")].filter((box) => box.scrollWidth > box.clientWidth)';
    expect(await page.evaluate<number>(`${wide}.length`)).toBeGreaterThan(3);
    await eventually(() => page.evaluate<boolean>(`${wide}.every((box) => box.tabIndex === 0)`)).toBe(true);
    await page.close();
  });

  it('can be read without JavaScript', async () => {
    const page = await open('/guides/webhooks', { ...PHONE, javaScriptEnabled: false });
    expect(await page.locator('#search').isHidden()).toBe(true);
    await page.getByText('On this page').click();
    await page.getByRole('link', { name: 'Recover from an outage' }).first().click();
    expect(page.url()).toBe(`${app.url}/guides/webhooks#recover-from-an-outage`);
    await page.getByRole('link', { name: /^Next/ }).click();
    expect(page.url()).not.toContain('webhooks');
    await page.close();
  });

  it('have a home page that shows whether each environment is ready', async () => {
    const page = await open('/');
    const state = (name: string) => page.locator(`[data-environment="${name}"] .health`);
    await eventually(() => state('production').textContent()).toBe('Ready');
    await eventually(() => state('sandbox').textContent()).toBe('Ready');
    const message = 'The production database does not respond.';
    await page.route('**/readyz', (route) =>
      route.fulfill({ status: 503, json: { code: 'unavailable', message } }),
    );
    await page.reload();
    await eventually(() => state('production').textContent()).toBe('Unavailable');
    expect(await state('sandbox').textContent()).toBe('Unknown');
    await page.getByText(message).waitFor();
    await page.route('**/readyz', (route) => route.abort());
    await page.reload();
    await page.getByText('The service does not answer.').waitFor();
    await page.close();
  });
});
