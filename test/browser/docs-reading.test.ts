import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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
    await tidyUp(page);
  });

  afterEach(async () => {
    await tidyUp(page);
    faults.length = 0;
  });

  afterAll(async () => {
    await browser?.close();
    await app.close();
  });

  it('has an example body with the required fields only, which can be sent as it is', async () => {
    await authorizeClient(page, await app.credentials());
    const operation = await openOperation(page, 'createLead');
    const example = JSON.parse(
      (await operation.locator('.opblock-section-request-body pre').first().textContent()) ?? '',
    );
    expect(Object.keys(example)).toEqual(['name', 'email']);
    await operation.getByText('Try it out').click();
    const body = operation.locator('textarea.body-param__text');
    await body.fill((await body.inputValue()).replace(example.email, uniqueEmail()));
    expect(await execute(operation)).toMatchObject({ status: '201' });
    expect(faults).toEqual([]);
  });

  it('fills in no filter, and shows real examples of query objects', async () => {
    const list = await openOperation(page, 'listLeads');
    const metadata = list.locator('tr[data-param-name="metadata"]');
    await metadata.waitFor();
    expect(await metadata.textContent()).toContain('Example: metadata[plan]=enterprise');
    await list.getByText('Try it out').click();
    expect(await metadata.locator('textarea').inputValue()).toBe('{}');
  });

  it('links each operation to the reference and to the guide of errors', async () => {
    const operation = await openOperation(page, 'createLead');
    const described = operation.locator('.opblock-description');
    expect(await described.textContent()).toMatch(
      /Errors: .*duplicate_email.* and those of every operation\./,
    );
    const link = described.getByRole('link', { name: 'Reference, with code' });
    expect(await link.getAttribute('href')).toBe('../guides/reference/leads#createlead');
  });

  it('opens each kind of operation with seconds of computing', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const computed = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN;
    };
    for (const id of ['createImport', 'receiveInboundDelivery', 'createToken', 'listEvents']) {
      const before = await computed();
      await (await openOperation(page, id)).locator('.responses-table').waitFor();
      const seconds = (await computed()) - before;
      expect(seconds, id).toBeGreaterThan(0);
      expect(seconds, id).toBeLessThan(8);
    }
    await session.detach();
    const text = await page.locator('#swagger-ui').textContent();
    expect(text).not.toMatch(/OrderedMap|\[object Object\]|List \[/);
  });

  it('has scopes without Markdown', async () => {
    await page.locator('.auth-wrapper > .authorize').click();
    const scopes = await page.locator('.scopes .description').allTextContents();
    expect(scopes.length).toBeGreaterThan(10);
    expect(scopes.filter((text) => text.includes('`'))).toEqual([]);
  });

  it('follows the color scheme of the system', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBe('rgb(28, 32, 34)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(250, 250, 250)');
  });

  it('fits a phone', async () => {
    const usual = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 390, height: 844 });
    await (await openOperation(page, 'createLead')).locator('tr.response').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize(usual);
  });

  it('has no serious axe violations in light and dark colors', async () => {
    const faultsIn = async (within?: string) => {
      const found: string[] = [];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)').waitFor();
        found.push(...(await seriousFaults(page, colorScheme, within)));
      }
      return found;
    };
    expect(await faultsIn()).toEqual([]);
    const create = await openOperation(page, 'createLead');
    await create.getByText('Try it out').click();
    expect(await faultsIn('.opblock.is-open')).toEqual([]);
    const { client_id, client_secret } = await app.credentials();
    const dialog = await authorize(page, credentialFields(client_id, 'wrong'));
    await dialog.getByRole('alert').waitFor();
    expect(await faultsIn('[role=dialog]')).toEqual([]);
    await authorizeClient(page, { client_id, client_secret });
    await execute(create);
    expect((await faultsIn('#operations-Leads-createLead')).join()).toBe('');
  });
});
