import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser } from '../support/factories.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, PHONE } from './dashboard-page.ts';
import { LeadPanel } from './lead-panel.ts';

const screens = [
  { screen: 'a wide screen', options: {} },
  { screen: 'a phone', options: PHONE },
];

describe.skipIf(executablePath === undefined)(
  "the looks of a lead's panel and the dialogs",
  { timeout: 150_000 },
  () => {
    let app: TestApp;
    let client: TestClient;
    let browser: Browser;

    beforeAll(async () => {
      app = await startTestApp({ sandbox: true });
      client = await app.client(['read', 'write'], 'sandbox');
      await createUser(client, { name: 'Grace Hopper' });
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser?.close();
      await app?.close();
    });

    it.each(screens)('are accessible and fit on $screen, light and dark', async ({ screen, options }) => {
      const lead = await createLead(client, {
        name: `Lead on ${screen}`,
        phone: '+4915112345678',
        tags: ['vip'],
        metadata: { plan: 'free' },
      });
      await client.post('/notes', { lead_id: lead.id, text: 'Called.', pinned: true }).expect(201);
      const dashboard = await Dashboard.open(browser, app, options);
      const { page } = dashboard;
      const credentials = await app.credentials(['read', 'write'], 'sandbox');
      await page.getByLabel('Sandbox').check();
      await page.getByLabel('Client id').fill(credentials.client_id);
      await page.getByLabel('Client secret').fill(credentials.client_secret);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('#who').getByRole('option', { name: 'No one' }).waitFor();

      /** Serious axe violations in the part, and whether the page or the part is wider than the screen. */
      async function complaints(part: string): Promise<string[]> {
        const found: string[] = [];
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await seriousFaults(page, colorScheme, part)));
        }
        const excess = await page.evaluate<number>(
          `Math.max(...[document.scrollingElement, document.querySelector('${part}')].map((element) => element.scrollWidth - element.clientWidth))`,
        );
        return excess === 0 ? found : [...found, `${part} is ${excess} px too wide`];
      }

      expect(await complaints('#who')).toEqual([]);
      await page.locator('#who').getByRole('option', { name: 'Grace Hopper' }).click();
      await dashboard.loaded();

      const panel = new LeadPanel(dashboard);
      await panel.open(lead);
      await panel.element.getByText('created as new').waitFor();
      expect(await complaints('#lead')).toEqual([]);
      await panel.element.getByRole('combobox', { name: 'Owner' }).click();
      await panel.element.getByRole('option', { name: 'No one' }).waitFor();
      expect(await complaints('#lead')).toEqual([]);
      await page.keyboard.press('Escape');
      await panel.element.getByRole('button', { name: 'Edit' }).first().click();
      await panel.element.getByLabel('Email').fill('nobody');
      dashboard.expected = [422];
      await page.keyboard.press('Enter');
      await panel.element.getByText('Email must be an email address.').waitFor();
      expect(await complaints('#lead')).toEqual([]);
      await panel.element.getByRole('button', { name: 'Cancel' }).click();

      await panel.element.getByLabel('Status').selectOption('Lost');
      await page.locator('#lost').getByLabel('Reason').waitFor();
      expect(await complaints('#lost')).toEqual([]);
      await page.locator('#lost').getByLabel('Reason').fill('No budget');
      await page.keyboard.press('Enter');
      await page.locator('#undo').getByRole('button', { name: 'Undo' }).waitFor();
      expect(await complaints('#undo')).toEqual([]);
      await panel.element.getByRole('button', { name: 'Close' }).click();

      await page.getByRole('button', { name: 'Add lead' }).click();
      await page.locator('#add').getByLabel('Email').waitFor();
      expect(await complaints('#add')).toEqual([]);
      expect(dashboard.faults).toEqual([]);
      await dashboard.close();
    });
  },
);
