import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { formInput, type Hook, makeHook } from '../support/hooks.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, PHONE, seedSandbox } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)('deliveries to look at', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await seedSandbox(app, 50);
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const deliver = (hook: Hook, payload: object) =>
    app.anonymous.at(`${app.url}/sandbox/v1`).post(`/hooks/${hook.token}`, payload).expect(202);

  it('are not shown without an inbound hook, nor to a client that may not read them', async () => {
    const dashboard = await Dashboard.signedIn(browser, app, { scopes: ['read'] });
    await dashboard.page.locator('#events li').first().waitFor();
    expect(await dashboard.page.locator('#deliveries').isVisible()).toBe(false);
    expect(dashboard.faults).toEqual([]);
    await makeHook(client);
    dashboard.expected = [403];
    await dashboard.page.reload();
    await dashboard.signInAnew(['leads:read', 'events:read', 'analytics:read']);
    await dashboard.page.locator('#events li').first().waitFor();
    expect(await dashboard.page.locator('#deliveries').isVisible()).toBe(false);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('says if there are none, and shows new ones, the latest first, without markup', async () => {
    const hook = await makeHook(client, { name: '<b>Form</b>' });
    const dashboard = await Dashboard.signedIn(browser, app, { scopes: ['read'] });
    const { page } = dashboard;
    await page.locator('#deliveries .none').waitFor();
    await deliver(hook, formInput());
    await deliver(hook, formInput({ phone: '12 ab' }));
    await deliver(hook, { name: 'Ada', email: 'ada at example' });
    const rows = page.locator('#deliveries li');
    // It is read again after the new leads' events.
    await eventually(async () => {
      await page.clock.fastForward(10_000);
      return rows.count();
    }).toBe(2);
    expect(await rows.nth(0).textContent()).toMatch(
      /<b>Form<\/b>Rejected: email must be an email address\.rejected$/,
    );
    expect(await rows.nth(1).textContent()).toMatch(/<b>Form<\/b>phone: This .* phone number.*\.created$/);
    expect(await page.locator('#deliveries .none').isVisible()).toBe(false);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it.each([
    ['a wide screen', {}],
    ['a phone', PHONE],
  ])('are accessible and fit on %s, light and dark', async (_screen, options) => {
    const hook = await makeHook(client, { name: 'W'.repeat(200) });
    await deliver(hook, { phone: 'x'.repeat(300), email: 'Ünïcödé'.repeat(50) });
    const dashboard = await Dashboard.signedIn(browser, app, { scopes: ['read'], ...options });
    const { page } = dashboard;
    await page.locator('#deliveries li').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFaults(page, colorScheme, '#deliveries')).toEqual([]);
      if (process.env.SCREENSHOTS) {
        const path = `${process.env.SCREENSHOTS}/${_screen.replaceAll(' ', '-')}-${colorScheme}.png`;
        await page.locator('#deliveries').scrollIntoViewIfNeeded();
        await page.screenshot({ path, fullPage: true });
      }
    }
    const excess = 'document.scrollingElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(excess)).toBe(0);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });
});
