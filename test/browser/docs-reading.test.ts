import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../generated/event-types.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { uniqueEmail } from '../support/factories.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import {
  authorize,
  authorizeClient,
  credentialFields,
  execute,
  find,
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

  it('shows what a field may be without a click: description, enum, format, limits', async () => {
    const operation = await openOperation(page, 'createLead');
    const body = operation.locator('.opblock-section-request-body .model-container');
    const field = (name: string) =>
      body
        .locator('.json-schema-2020-12-property')
        .filter({ has: page.locator(`.json-schema-2020-12__title:text-is("${name}")`) })
        .first();
    await field('email').waitFor();
    expect(await field('email').innerText()).toMatch(/string\s*email\s*≤ 254 characters\s*An email address/);
    expect(await field('status').innerText()).toContain('One of new, contacted, qualified, won, lost');
    // A field of a field.
    expect(await field('currency').isVisible()).toBe(true);
    const answer = operation.locator('tr.response[data-code="201"] .model-container');
    expect(await answer.getByText('The id of the lead.').isVisible()).toBe(true);
    // The example stands beside it.
    expect(
      await operation.locator('.opblock-section-request-body .model-example > .example').innerText(),
    ).toContain('"name"');
    const key = operation.locator('tr[data-param-name="Idempotency-Key"]');
    expect(await key.innerText()).toContain('maxLength: 255');
  });

  it('shows a schema in full width, and another one instead', async () => {
    await openSchema(page, 'Lead');
    const lead = page.locator('#schema-Lead article').first();
    expect(await lead.innerText()).toContain('The email address. No other lead has it');
    expect((await lead.boundingBox())?.width).toBeGreaterThan(800);
    await expect.poll(async () => (await lead.boundingBox())?.y).toBeLessThan(120);
    await openSchema(page, 'Contact');
    expect(await lead.count()).toBe(0);
    await page.goBack();
    await lead.waitFor();
  });

  it('has scopes without Markdown', async () => {
    await page.locator('.auth-wrapper > .authorize').click();
    const scopes = await page.locator('.scopes .description').allTextContents();
    expect(scopes.length).toBeGreaterThan(10);
    expect(scopes.filter((text) => text.includes('`'))).toEqual([]);
  });

  it('shows unions by their names, which are links, and real examples of query objects', async () => {
    await openSchema(page, 'ApiEvent');
    const event = page.locator('#schema-ApiEvent article').first();
    const names = eventTypes.map(
      ({ type }) => `${type.replaceAll(/(?:^|[._])(.)/g, (_, first) => first.toUpperCase())}Event`,
    );
    for (const name of names) expect(await event.innerText()).toContain(name);
    await event.getByRole('link', { name: 'LeadMergedEvent' }).click();
    await page.locator('#schema-LeadMergedEvent article').first().waitFor();
    expect(await page.locator('.one-schema').innerText()).not.toMatch(/\bany \| any\b/);

    const list = await openOperation(page, 'listLeads');
    const metadata = list.locator('tr[data-param-name="metadata"]');
    await metadata.waitFor();
    expect(await metadata.textContent()).toContain('Example: metadata[plan]=enterprise');
    await list.getByText('Try it out').click();
    expect(await metadata.locator('textarea').inputValue()).toBe('{}');
    for (const id of ['createImport', 'receiveInboundDelivery', 'createToken']) {
      await (await openOperation(page, id)).locator('.responses-table').waitFor();
    }
    const text = await page.locator('#swagger-ui').textContent();
    expect(text).not.toMatch(/OrderedMap|\[object Object\]|List \[/);
  });

  it('has the errors and headers of an operation one click away', async () => {
    const operation = await openOperation(page, 'createLead');
    const success = operation.locator('tr.response[data-code="201"]');
    await success.waitFor();
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
      /^curl -X 'PATCH' .*\/v1\/leads\/lead_\w+' .*'Authorization: Bearer YOUR_TOKEN'.*"status": "contacted"/s,
    );
    await operation.getByRole('button', { name: 'Python' }).click();
    expect(await code.textContent()).toMatch(
      /^import requests\n.*requests\.patch\(.*"status": "contacted",/s,
    );

    await authorizeClient(page, await app.credentials());
    const create = await openOperation(page, 'createLead');
    await create.getByText('Try it out').click();
    const name = 'Ada "O\'Brien" $HOME `id` \\n $(id) %s 😀 é';
    const email = uniqueEmail();
    await create.locator('textarea').fill(JSON.stringify({ name, email }, null, 2));
    await execute(create);
    const sent = create.locator('.request-snippets pre');
    // The chosen language is kept.
    expect(await sent.textContent()).toContain(`"email": "${email}",`);
    await create.getByRole('button', { name: 'JavaScript' }).click();
    expect(await sent.textContent()).toMatch(
      /^const response = await fetch\(".*\/v1\/leads", \{.*"Bearer ey/s,
    );

    await create.getByRole('button', { name: 'curl' }).click();
    const another = uniqueEmail();
    const curl = (await sent.textContent())?.replace(email, another) ?? '';
    await promisify(execFile)('sh', ['-c', curl]);
    const client = await app.client();
    const { body } = await client.get(`/leads?email=${encodeURIComponent(another)}`).expect(200);
    expect(body.data).toEqual([expect.objectContaining({ name })]);
  });

  it('shows code for every kind of operation', async () => {
    for (const [id, start, part] of [
      ['createToken', "curl -X 'POST' 'URL/v1/auth/token' ", 'grant_type'],
      ['deleteLead', "curl -X 'DELETE' 'URL/v1/leads/lead_", 'Bearer YOUR_TOKEN'],
      ['createInboundHook', "curl -X 'POST' 'URL/v1/inbound-hooks' ", '"name": '],
      ['listLeads', "curl -X 'GET' 'URL/v1/leads' ", 'Bearer YOUR_TOKEN'],
    ] as const) {
      const operation = await openOperation(page, id);
      await operation.getByText('Code of an example request').click();
      const code = (await operation.locator('.request-snippets pre').textContent()) ?? '';
      const line = code.replaceAll(app.url, 'URL').replaceAll(/ \\\n */g, ' ');
      expect(line.slice(0, start.length)).toBe(start);
      expect(code).toContain(part);
    }
    expect(faults).toEqual([]);
  });

  it('follows the color scheme of the system', async () => {
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await page.locator('.sidebar li').first().waitFor({ state: 'attached' });
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
    await find(page, 'lead');
    expect(await faults('.sidebar')).toEqual([]);
    await find(page, '');

    const others = ['deleteLead'];
    for (const id of ['createLead', ...others]) {
      const operation = await openOperation(page, id);
      await operation.getByText('Try it out').click();
    }
    const create = page.locator('#operations-Leads-createLead');
    await create.getByText('Code of an example request').click();
    await create.getByText(/^\d headers$/).click();
    await create.locator('button.fold').first().click();
    await openSchema(page, 'ApiEvent');
    expect(await faults('.opblock.is-open, .one-schema')).toEqual([]);
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

async function openSchema(page: Page, name: string): Promise<void> {
  const schemas = page.getByRole('link', { name: 'Schemas' });
  if (await schemas.isVisible()) await schemas.click();
  await page.locator(`.sidebar a[href="#/schemas/${name}"]`).click();
  await page.locator(`#schema-${name} article`).first().waitFor();
}
