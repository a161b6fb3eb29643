import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../generated/event-types.ts';
import { operations } from '../../generated/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { uniqueEmail } from '../support/factories.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import {
  authorize,
  authorizeClient,
  credentialFields,
  execute,
  openDocs,
  openOperation,
  tidyUp,
} from './docs-page.ts';

describe.skipIf(executablePath === undefined)('reading the docs page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    app = await startTestApp();
    browser = await launchChromium();
    ({ page, faults } = await openDocs(app, browser));
  });

  afterEach(async () => {
    await tidyUp(page);
    faults.length = 0;
  });

  afterAll(async () => {
    await browser?.close();
    await app.close();
  });

  it('filters operations and webhooks by path, summary, tag and operationId', async () => {
    const all = await operationIds(page);
    expect(await filterBy(page, 'CREATEUSER')).toEqual(['createUser']);
    expect(await filterBy(page, '/auth/jwks')).toEqual(['getJwks']);
    expect(await filterBy(page, 'leads convert post')).toEqual(['convertLead']);
    const leads = Object.entries(operations).flatMap(([id, { path }]) => (path === '/leads' ? [id] : []));
    expect(await filterBy(page, 'Leads')).toEqual(expect.arrayContaining(leads));
    expect(await filterBy(page, 'webhooks lead.created')).toEqual(['leadCreated']);
    expect(await filterBy(page, 'no such thing')).toEqual([]);
    expect(await page.getByText('No operation matches “no such thing”.').count()).toBe(1);
    expect(await filterBy(page, '')).toEqual(all);
    expect(all).toHaveLength(Object.keys(operations).length + eventTypes.length);
  });

  it('has a link to each operation in the address bar', async () => {
    const operation = await openOperation(page, 'convertLead');
    await operation.locator('.responses-table').waitFor();
    expect(page.url()).toMatch(/#\/Leads\/convertLead$/);
    await page.reload();
    await page.locator('#operations-Leads-convertLead .responses-table').waitFor();
  });

  it('has schemas in alphabetical order and scopes without Markdown', async () => {
    await page.locator('.models .json-schema-2020-12__title').first().waitFor();
    const names = await page.locator('.models .json-schema-2020-12__title').allTextContents();
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
    await page.locator('.auth-wrapper > .authorize').click();
    const scopes = await page.locator('.scopes .description').allTextContents();
    expect(scopes.length).toBeGreaterThan(10);
    expect(scopes.filter((text) => text.includes('`'))).toEqual([]);
  });

  it('shows the names of types, and real examples of query objects', async () => {
    const event = page
      .locator('.models > div .json-schema-2020-12')
      .filter({ hasText: /^ApiEvent/ })
      .first();
    await event.waitFor();
    const names = eventTypes.map(
      ({ type }) => `${type.replaceAll(/(?:^|[._])(.)/g, (_, first) => first.toUpperCase())}Event`,
    );
    for (const name of names) expect(await event.innerText()).toContain(name);
    expect(await page.locator('.models').textContent()).not.toMatch(/\bany \| any\b/);

    const list = await openOperation(page, 'listLeads');
    const metadata = list.locator('tr[data-param-name="metadata"]');
    await metadata.waitFor();
    expect(await metadata.textContent()).toContain('Example: metadata[plan]=enterprise');
    expect(await page.locator('#swagger-ui').textContent()).not.toContain('OrderedMap');
    await list.getByText('Try it out').click();
    expect(await metadata.locator('textarea').inputValue()).toBe('{}');
  });

  it('fits an operation on two screens, with its errors and headers one click away', async () => {
    const operation = await openOperation(page, 'createLead');
    const success = operation.locator('tr.response[data-code="201"]');
    await success.waitFor();
    expect((await operation.boundingBox())?.height).toBeLessThan(2 * 900);

    expect(await success.getByText('Location').isVisible()).toBe(false);
    await success.getByText(/^\d headers$/).click();
    expect(await success.getByText('Location').isVisible()).toBe(true);

    const error = operation.locator('tr.response[data-code="422"]');
    expect(await error.count()).toBe(0);
    const button = operation.locator('tr.folded', { hasText: '422' }).getByRole('button');
    await button.click();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await error.textContent()).toContain('request_id');
    await button.click();
    expect(await error.count()).toBe(0);
  });

  it('shows the code of a request in three languages, before it is sent and as it was sent', async () => {
    const operation = await openOperation(page, 'updateLead');
    await operation.getByText('Code of an example request').click();
    const code = operation.locator('.request-snippets pre');
    expect(await code.textContent()).toMatch(
      /^curl -X PATCH '.*\/v1\/leads\/lead_\w+' .*'Authorization: Bearer /s,
    );
    await operation.getByRole('button', { name: 'Python' }).click();
    expect(await code.textContent()).toMatch(
      /^import requests\n.*requests\.patch\(.*"status": "contacted",/s,
    );

    await authorizeClient(page, await app.credentials());
    const create = await openOperation(page, 'createLead');
    await create.getByText('Try it out').click();
    const email = uniqueEmail();
    await create.locator('textarea').fill(JSON.stringify({ name: 'Ada', email }));
    await execute(create);
    const sent = create.locator('.request-snippets pre');
    // The chosen language is kept.
    expect(await sent.textContent()).toContain(`"email": "${email}",`);
    await create.getByRole('button', { name: 'JavaScript' }).click();
    expect(await sent.textContent()).toMatch(
      /^const response = await fetch\(".*\/v1\/leads", \{.*"Bearer ey/s,
    );
  });

  it('shows code for every kind of operation', async () => {
    for (const [id, start, part] of [
      ['createToken', "curl -X POST 'URL/v1/auth/token' ", 'grant_type'],
      ['deleteLead', "curl -X DELETE 'URL/v1/leads/lead_", 'Bearer YOUR_TOKEN'],
      ['createInboundHook', "curl -X POST 'URL/v1/inbound-hooks' ", '"name": '],
      ['listLeads', "curl -X GET 'URL/v1/leads' ", 'Bearer YOUR_TOKEN'],
    ] as const) {
      const operation = await openOperation(page, id);
      await operation.getByText('Code of an example request').click();
      const code = (await operation.locator('.request-snippets pre').textContent()) ?? '';
      expect(code.replaceAll(app.url, 'URL').slice(0, start.length)).toBe(start);
      expect(code).toContain(part);
    }
    expect(faults).toEqual([]);
  });

  it('follows the color scheme of the system', async () => {
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    await expect.poll(background).toBe('rgb(28, 32, 34)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgba(0, 0, 0, 0)');
  });

  it('fits a phone', async () => {
    const usual = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 390, height: 844 });
    await (await openOperation(page, 'createLead')).locator('tr.response').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize(usual);
  });

  it('has no serious axe violations in light and dark colors', async () => {
    const faults = async (within?: string) => {
      const found: string[] = [];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)').waitFor();
        found.push(...(await seriousFaults(page, colorScheme, within)));
      }
      return found;
    };
    expect(await faults()).toEqual([]);

    // The rest was checked above. Fewer operations make this faster.
    await filterBy(page, '/leads');
    const others = ['deleteLead', 'updateLead', 'listLeads'];
    for (const id of ['createLead', ...others]) {
      const operation = await openOperation(page, id);
      await operation.getByText('Try it out').click();
    }
    const create = page.locator('#operations-Leads-createLead');
    await create.getByText('Code of an example request').click();
    await create.getByText(/^\d headers$/).click();
    await create.locator('button.fold').first().click();
    await page.locator('.models .json-schema-2020-12-accordion').nth(3).click();
    expect(await faults('.opblock.is-open, .models')).toEqual([]);
    for (const id of others) await page.locator(`[id$="-${id}"] .opblock-summary-control`).click();

    const { client_id, client_secret } = await app.credentials();
    const dialog = await authorize(page, credentialFields(client_id, 'wrong'));
    await dialog.getByRole('alert').waitFor();
    expect(await faults('[role=dialog]')).toEqual([]);
    await authorizeClient(page, { client_id, client_secret });
    await execute(create);
    expect(await faults('#operations-Leads-createLead')).toEqual([]);
  });
});

function operationIds(page: Page): Promise<string[]> {
  return page.locator('.opblock-summary-operation-id').allTextContents();
}

/** Sets the filter, waits until the page has applied it, and returns the operations that it shows. */
async function filterBy(page: Page, phrase: string): Promise<string[]> {
  await page.getByRole('searchbox').fill(phrase);
  const current = () => page.evaluate('ui.getSystem().layoutSelectors.currentFilter()');
  await expect.poll(current).toBe(phrase || true);
  await page.evaluate('new Promise(requestAnimationFrame)');
  return operationIds(page);
}
