import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../generated/event-types.ts';
import { operations } from '../../generated/operations.ts';
import { createApiKey } from '../../src/auth/clients.ts';
import { environments } from '../../src/environment.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { uniqueEmail } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

describe('the docs page', () => {
  let origin: TestClient;

  beforeAll(() => {
    origin = new TestClient(app.url);
  });

  it('is found with and without a slash, also by HEAD', async () => {
    await origin.get('/docs').expect(302).expect('Location', '/docs/');
    await origin.get('/docs/index.html').expect(302).expect('Location', '/docs/');
    await origin.head('/docs').expect(302);
    await origin.head('/docs/').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
  });

  it('has its title and only assets of our own, which are all there', async () => {
    const { text } = await origin.get('/docs/').expect(200);
    expect(text).toContain('<title>Lead Pipeline API</title>');
    const assets = [...text.matchAll(/<(?:link|script)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address ?? '',
    );
    expect(assets).toContainEqual(expect.stringMatching(/^\.\/\w+\/swagger-ui-bundle\.js$/));
    expect(assets.filter((address) => !address.startsWith('./'))).toEqual([]);
    for (const address of assets) await origin.get(new URL(address, 'http://any/docs/').pathname).expect(200);
  });

  it('needs no script or style that its Content-Security-Policy forbids', async () => {
    const { text, headers } = await origin.get('/docs/');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).toContain("style-src 'self';");
    expect([...text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>|<style|\s(?:style|on\w+)=/g)]).toEqual([]);
  });

  it('answers JSON as everywhere where there is nothing', async () => {
    for (const path of ['nothing.js', '..%2fpackage.json', '%zz']) {
      const { body } = await origin.get(`/docs/${path}`).expect(404);
      expect(body.code).toBe('not_found');
    }
  });
});

describe.skipIf(executablePath === undefined)('the docs page in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  it('shows every operation and every event, asks nobody else and has nothing to complain of', async () => {
    const { page, faults } = await openDocs(browser);
    expect(await page.title()).toBe('Lead Pipeline API');
    const ids = await page.locator('.opblock-summary-operation-id').allTextContents();
    const events = eventTypes.map(({ type }) =>
      type.replaceAll(/[._](.)/g, (_, letter: string) => letter.toUpperCase()),
    );
    expect(ids.sort()).toEqual([...Object.keys(operations), ...events].sort());
    expect(await page.locator('.servers option').allTextContents()).toEqual([
      `${app.url}/v1 - Production`,
      `${app.url}/sandbox/v1 - Sandbox`,
    ]);
    expect(faults).toEqual([]);
    await page.close();
  });

  it.each(environments)('gets a token and calls %s, with no scope ticked', async (environment) => {
    const { page, faults } = await openDocs(browser);
    const { client_id, client_secret } = await app.credentials(['leads:read', 'leads:write'], environment);
    await selectServer(page, environment);
    await openAuthorize(page);
    await page.fill('#client_id_clientCredentials', client_id);
    await page.fill('#client_secret_clientCredentials', client_secret);
    await authorize(page, 'oauth2');

    const email = uniqueEmail();
    const created = await tryOut(page, 'createLead', JSON.stringify({ name: 'Ada Lovelace', email }));
    expect(created).toMatchObject({ status: '201', text: expect.stringContaining(email) });
    const listed = await tryOut(page, 'listLeads');
    expect(listed).toMatchObject({ status: '200', text: expect.stringContaining(email) });
    expect(listed.text).toContain(`x-environment: ${environment}`);
    // Try it out fills in defaults, never an example of a filter.
    const sent = [...new URL(listed.url ?? '').searchParams.keys()];
    expect(['per_page', 'sort']).toEqual(expect.arrayContaining(sent));
    expect(faults).toEqual([]);
    await page.close();
  });

  it('calls with an API key', async () => {
    const { page, faults } = await openDocs(browser);
    const { client_id: clientId } = await app.credentials(['read']);
    const { api_key } = await createApiKey(app.production.db, 'production', {
      clientId,
      name: 'Docs',
      scopes: ['read'],
      expiresAt: null,
    });
    await openAuthorize(page);
    await page.fill('#api_key_value', api_key);
    await authorize(page, 'apiKey');
    expect(await tryOut(page, 'getCurrentClient')).toMatchObject({ status: '200' });
    expect(faults).toEqual([]);
    await page.close();
  });
});

/** A page, and all that goes wrong in it from now on. */
async function openDocs(browser: Browser): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== app.url) faults.push(`${url} is not ours`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.url()} answered ${response.status()}`);
  });
  await page.goto(`${app.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  return { page, faults };
}

async function selectServer(page: Page, environment: string): Promise<void> {
  const base = environment === 'production' ? '/v1' : '/sandbox/v1';
  await page.locator('.servers select').selectOption(app.url + base);
}

async function openAuthorize(page: Page): Promise<void> {
  await page.locator('.auth-wrapper > .authorize').click();
}

async function authorize(page: Page, scheme: 'oauth2' | 'apiKey'): Promise<void> {
  const section = page.locator('.auth-container').filter({ hasText: `${scheme} (` });
  await section.locator('button.authorize').click();
  await section.getByText('Logout').waitFor();
  await page.locator('.close-modal').click();
}

async function openOperation(page: Page, operationId: string): Promise<Locator> {
  const operation = page.locator('.opblock', { has: page.getByText(operationId, { exact: true }) });
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Sends the operation from the page, and reads the answer there. */
async function tryOut(page: Page, operationId: string, body?: string) {
  const operation = await openOperation(page, operationId);
  await operation.getByText('Try it out').click();
  if (body !== undefined) await operation.locator('textarea.body-param__text').fill(body);
  await operation.getByText('Execute').click();
  const answer = operation.locator('.live-responses-table tr.response');
  const status = await answer.locator('.response-col_status').textContent();
  const url = await operation.locator('.request-url pre').textContent();
  return { status, url, text: await answer.textContent() };
}
