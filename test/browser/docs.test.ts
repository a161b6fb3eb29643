import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { issueApiKey } from '../../src/clients/operator.ts';
import { environments } from '../../src/environment.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { uniqueEmail } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import {
  authorize,
  authorizeClient,
  credentialFields,
  execute,
  find,
  listed,
  openDocs,
  openOperation,
  selectServer,
  tidyUp,
  tryOut,
  watchSignInBoxes,
} from './docs-page.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('the docs page', () => {
  let origin: TestClient;

  beforeAll(() => {
    origin = new TestClient(app.url);
  });

  it('is served with and without a trailing slash, also for HEAD', async () => {
    await origin.get('/docs').expect(302).expect('Location', '/docs/');
    await origin.get('/docs/index.html').expect(302).expect('Location', '/docs/');
    await origin.head('/docs').expect(302);
    await origin.head('/docs/').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
  });

  it('has its title, and loads only its own files, all of which exist', async () => {
    const { text } = await origin.get('/docs/').expect(200);
    expect(text).toContain('<title>Lead Pipeline API</title>');
    const assets = [...text.matchAll(/<(?:link|script)[^>]* ?(?:src|href)=['"]([^'"]+)['"]/g)].map(
      ([, address]) => address ?? '',
    );
    expect(assets).toContain('./swagger-ui-bundle.js');
    for (const address of assets) await origin.get(new URL(address, 'http://any/docs/').pathname).expect(200);
    const bundle = await origin.get('/docs/swagger-ui-bundle.js').set('Accept-Encoding', 'br').expect(200);
    expect(bundle.headers['content-encoding']).toBe('br');
  });

  it('needs no script or style that its Content-Security-Policy forbids', async () => {
    const { text, headers } = await origin.get('/docs/');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).toMatch(
      /style-src-elem 'self' 'sha256-[^']+' 'sha256-[^']+';/,
    );
    expect([...text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=/g)]).toEqual([]);
  });

  it('answers unknown paths with JSON', async () => {
    for (const path of ['nothing.js', '..%2fpackage.json', '%zz']) {
      const { body } = await origin.get(`/docs/${path}`).expect(404);
      expect(body.code).toBe('not_found');
    }
  });
});

describe.skipIf(executablePath === undefined)('the docs page in a browser', { timeout: 150_000 }, () => {
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await launchChromium();
    ({ page, faults } = await openDocs(app, browser));
    await tidyUp(page);
  });

  afterEach(async () => {
    await tidyUp(page);
    faults.length = 0;
  });

  afterAll(() => browser?.close());

  it('shows every operation, and begins in the sandbox, without requests to other hosts and without errors', async () => {
    expect(await page.title()).toBe('Lead Pipeline API');
    expect((await listed(page)).sort()).toEqual(Object.keys(operations).sort());
    expect(await page.locator('.servers option').allTextContents()).toEqual([
      `${app.url}/v1 - Production`,
      `${app.url}/sandbox/v1 - Sandbox`,
    ]);
    const { page: first } = await openDocs(app, browser);
    expect(await first.getByLabel('Server', { exact: true }).inputValue()).toBe(`${app.url}/sandbox/v1`);
    await first.context().close();
    expect(faults).toEqual([]);
  });

  it('finds operations by path, name, id and error code', async () => {
    for (const [phrase, ids] of [
      ['batchReadLeads', ['batchReadLeads']],
      ['post /inbound-hooks/{id}/preview', ['previewInboundHook']],
      ['merge another lead', ['mergeLead']],
      ['wrong_replay_status', ['cancelWebhookReplay']],
      ['no such operation', []],
    ] as const) {
      await find(page, phrase);
      await expect.poll(() => listed(page)).toEqual(ids);
    }
    await find(page, '');
    await expect.poll(async () => (await listed(page)).length).toBeGreaterThan(100);
  });

  it.each(environments)('gets a token and calls %s, with no scope selected', async (environment) => {
    const credentials = await app.credentials(['leads:read', 'leads:write'], environment);
    await selectServer(page, environment);
    await authorizeClient(page, credentials);

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
  });

  it('sends reserved characters as part of a value, and the filters after it', async () => {
    await authorizeClient(page, await app.credentials());
    const email = `ada+${uniqueEmail()}`;
    const client = await app.client();
    await client.post('/leads', { name: 'Ada', email, external_id: 'crm#4711', status: 'won' }).expect(201);
    await client.post('/leads', { name: 'Bob', email: uniqueEmail(), external_id: 'crm' }).expect(201);

    const list = await openOperation(page, 'listLeads');
    await list.getByText('Try it out').click();
    const filters = {
      external_id: 'crm#4711',
      email,
      search: 'ada & +',
      created_from: '2020-01-01T00:00:00+01:00',
    };
    for (const [name, value] of Object.entries(filters)) {
      await list.locator(`tr[data-param-name="${name}"] input`).fill(value);
    }
    await list.locator('tr[data-param-name="metadata"] textarea').fill('{}');
    const found = await execute(list);
    expect(found).toMatchObject({ status: '200', text: expect.stringContaining(email) });
    expect(found.text).toMatch(/"total": 1,/);
    const sent = new URL(found.url ?? '');
    expect(Object.fromEntries(sent.searchParams)).toMatchObject(filters);
    expect(sent.hash).toBe('');
    const curl = (await list.locator('.curl-command pre').textContent()) ?? '';
    expect(curl).toContain('external_id=crm%234711&');
    expect(JSON.parse((await promisify(execFile)('sh', ['-c', curl])).stdout).meta.total).toBe(1);
    expect(faults).toEqual([]);
  });

  it('calls with an API key', async () => {
    const { client_id: clientId } = await app.credentials(['read']);
    const { api_key } = await issueApiKey(app.production, {
      clientId,
      name: 'Docs',
      scopes: ['read'],
      expiresAt: null,
    });
    const dialog = await authorize(page, { api_key_value: api_key });
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    expect(await tryOut(page, 'getCurrentClient')).toMatchObject({ status: '200' });
    expect(faults).toEqual([]);
  });

  it('explains in the dialog why credentials are rejected, instead of letting the browser ask for them', async () => {
    const { client_id, client_secret } = await app.credentials();
    const session = await page.context().newCDPSession(page);
    const signInBoxes = await watchSignInBoxes(session);
    await page.evaluate(() =>
      fetch('/v1/auth/token', {
        method: 'POST',
        headers: {
          Authorization: `Basic ${btoa('a:b')}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      }),
    );
    expect(signInBoxes.splice(0)).toEqual([`${app.url}/v1/auth/token`]);

    const dialog = await authorize(page, credentialFields(client_id, 'lps_live_wrong'));
    const { body } = await app.anonymous
      .post('/auth/token', { grant_type: 'client_credentials', client_id, client_secret: 'lps_live_wrong' })
      .expect(401);
    expect(await dialog.getByRole('alert').textContent()).toBe(body.message);
    await authorize(page, credentialFields(client_id, client_secret));
    await dialog.getByText('Logout').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(signInBoxes).toEqual([]);
    await session.detach();
  });

  it('shows in the dialog that the service does not answer', async () => {
    await page.route('**/auth/token', (route) => route.abort());
    const dialog = await authorize(page, credentialFields('client', 'secret'));
    expect(await dialog.getByRole('alert').textContent()).toMatch(/gives no answer/);
    await page.unrouteAll();
  });

  it('requests the selected scopes, also by keyboard', async () => {
    await page.locator('.auth-wrapper > .authorize').click();
    await page.getByRole('checkbox', { name: /^users:read/ }).focus();
    await page.keyboard.press('Space');
    await authorizeClient(page, await app.credentials(['read']));
    const { text } = await tryOut(page, 'getCurrentClient');
    expect(text).toMatch(/"scope": "users:read"|"scopes": \[\s*"users:read"\s*\]/);
    expect(faults).toEqual([]);
  });

  it('moves the keyboard focus into the Authorize dialog and back', async () => {
    const button = page.locator('.auth-wrapper > .authorize');
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('#client_id_clientCredentials:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.auth-wrapper > .authorize:focus').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
