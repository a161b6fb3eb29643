import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createLead } from '../support/factories.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, PHONE, seedSandbox } from './dashboard-page.ts';

const screens = [
  { screen: 'a wide screen', options: {} },
  { screen: 'a phone', options: PHONE },
];

describe.skipIf(executablePath === undefined)('the looks of the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let browser: Browser;
  /** On a wide screen, in light colors. */
  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    const client = await seedSandbox(app, 100);
    await createLead(client, { name: 'W'.repeat(200), company: 'Ünïcödé'.repeat(28) });
    browser = await launchChromium();
    dashboard = await Dashboard.signedIn(browser, app);
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** How much wider the page is than the screen. Pixels. */
  const excess = ({ page }: Dashboard) =>
    page.evaluate<number>('document.scrollingElement.scrollWidth - document.documentElement.clientWidth');

  it.each(screens)('are accessible and fit on $screen, light and dark', async ({ options }) => {
    const dashboard = await Dashboard.open(browser, app, options);
    const { page } = dashboard;
    /** Serious axe violations in the whole page, or in the part that a step has changed. */
    const complaints = async (within?: string) => {
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await seriousFaults(page, colorScheme, within)));
      }
      return found;
    };
    expect(await complaints()).toEqual([]);
    dashboard.expected = [401];
    await dashboard.signIn({ client_id: 'nobody', client_secret: 'nothing' }, 'sandbox');
    await page.locator('#sign-in-error:not(:empty)').waitFor();
    expect(await complaints()).toEqual([]);
    expect(await excess(dashboard)).toBe(0);

    await dashboard.signInAnew();
    await page.locator('.chart canvas').waitFor();
    await page.locator('#events li').first().waitFor();
    await page.getByText('Show as a table').click();
    expect(await complaints()).toEqual([]);
    expect(await excess(dashboard)).toBe(0);

    await dashboard.rejectChanges();
    await page.locator('.column.shown .move').first().click();
    expect(await complaints('#menu')).toEqual([]);
    await page.getByRole('menuitem', { name: 'Contacted' }).click();
    await page.getByText(/was not moved/).waitFor();
    expect(await complaints('#notice')).toEqual([]);
    expect(await excess(dashboard)).toBe(0);
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
  });

  it('change with the colour scheme while the page is open', async () => {
    const { page } = dashboard;
    const chart = page.locator('.chart canvas');
    await chart.waitFor();
    const colours = () =>
      page.evaluate<string>(
        `getComputedStyle(document.body).backgroundColor + document.querySelector('.chart canvas').toDataURL()`,
      );
    const light = await colours();
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(colours).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(colours).toBe(light);
  });

  it('describe the chart in words', async () => {
    const chart = dashboard.page.getByRole('img', {
      name: /^Stacked bars: leads created each day, by source\./,
    });
    await chart.waitFor();
    const total = await dashboard.page.locator('#funnel tbody td').first().textContent();
    expect(await chart.getAttribute('aria-label')).toContain(` ${total} in all.`);
    await chart.hover();
    await dashboard.page.locator('.legend .period', { hasText: /^[A-Z][a-z]{2} \d+: / }).waitFor();
  });
});
