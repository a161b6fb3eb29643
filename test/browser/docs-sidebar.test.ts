import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../generated/event-types.ts';
import { operations } from '../../generated/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { find, links, openDocs, openOperation, tidyUp } from './docs-page.ts';

describe.skipIf(executablePath === undefined)('the sidebar of the docs page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    app = await startTestApp();
    browser = await launchChromium();
    ({ page } = await openDocs(app, browser));
  });

  afterEach(() => tidyUp(page));

  afterAll(async () => {
    await browser?.close();
    await app.close();
  });

  it('finds operations by path, summary, tag, operationId, parameter, field and error code', async () => {
    const all = await links(page);
    expect(await find(page, 'CREATEUSER /users')).toEqual(['createUser']);
    expect(await find(page, '/auth/jwks')).toEqual(['getJwks']);
    expect(await find(page, 'leads convert post')).toEqual(['convertLead']);
    expect(await find(page, 'webhooks lead.created')).toEqual(expect.arrayContaining(['leadCreated']));

    expect(await find(page, 'inactive_since')).toEqual(expect.arrayContaining(['listLeads', 'exportLeads']));
    expect(await foundIn(page, 'listLeads')).toBe('parameter inactive_since');
    const valued = await find(page, 'expected_close_on');
    expect(valued).toEqual(expect.arrayContaining(['createLead', 'leadUpdated', 'Lead']));
    expect(valued).not.toContain('listUsers');
    expect(await foundIn(page, 'createLead')).toBe('field expected_close_on');
    expect(await find(page, 'idempotency_key_reused')).toContain('createLead');
    expect(await foundIn(page, 'createLead')).toBe('error idempotency_key_reused');
    expect(await find(page, 'export inactive_since')).toEqual(['exportLeads']);

    expect(await find(page, 'no such thing')).toEqual([]);
    expect(await page.getByText('Nothing matches “no such thing”.').count()).toBe(1);
    expect(await find(page, '')).toEqual(all);
  });

  it('has a link to each operation, which works in the sidebar, in the history and after a reload', async () => {
    await openOperation(page, 'convertLead');
    expect(page.url()).toMatch(/#\/Leads\/convertLead$/);
    const heading = page.locator('#operations-Leads-convertLead .opblock-summary-control');
    await page.locator('#operations-Leads-convertLead .opblock-summary-control:focus').waitFor();
    expect(await page.locator('.sidebar [aria-current]').textContent()).toContain('Convert a lead');
    await openOperation(page, 'listUsers');
    await page.goBack();
    expect(page.url()).toMatch(/#\/Leads\/convertLead$/);
    await page.locator('.sidebar [aria-current]', { hasText: 'Convert a lead' }).waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(120);
    await page.reload();
    await page.locator('#operations-Leads-convertLead .responses-table').waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(120);
  });

  it('leads to every operation, however many are drawn', async () => {
    await page.evaluate(`{
      const { layoutActions } = ui.getSystem();
      for (const { dataset } of document.querySelectorAll('[data-tag]'))
        layoutActions.show(['operations-tag', dataset.tag], true);
    }`);
    const all = Object.keys(operations).length + eventTypes.length;
    await expect.poll(() => page.locator('.opblock').count()).toBe(all);
    await openOperation(page, 'seedSandbox');
    await openOperation(page, 'createToken');
  });

  it('links tags and operations to the chapters about them, on the host of the page', async () => {
    const tag = page.locator('[data-tag="Webhooks"] a');
    expect(await tag.getAttribute('href')).toBe(`${app.url}/guides/webhooks`);
    const operation = await openOperation(page, 'createWebhook');
    const chapter = operation.locator('.opblock-external-docs');
    expect(await chapter.innerText()).toContain('Receive events');
    expect(await chapter.getByRole('link').getAttribute('href')).toBe(
      `${app.url}/guides/webhooks#receive-events`,
    );
  });

  it('is a menu on a narrow screen', async () => {
    const usual = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 390, height: 844 });
    const search = page.getByRole('searchbox');
    const menu = page.getByRole('button', { name: 'Menu' });
    await search.waitFor({ state: 'hidden' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await search.waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
    await menu.click();
    await find(page, 'create a lead');
    // By keyboard: past the group to the first link, whose name matches.
    for (let key = 0; key < 3; key += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await search.waitFor({ state: 'hidden' });
    await page.locator('#operations-Leads-createLead .responses-table').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize(usual);
    await search.fill('');
  });
});

/** Why the filter has found an operation. */
function foundIn(page: Page, operationId: string): Promise<string | null> {
  return page.locator(`.sidebar a[href$="/${operationId}"] small`).textContent();
}
