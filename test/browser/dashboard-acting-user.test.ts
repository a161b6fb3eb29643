import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { eventsOf } from '../support/events.ts';
import { createLead } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually } from './dashboard-page.ts';

describe.skipIf(executablePath === undefined)(
  'the acting user of the pipeline page',
  { timeout: 150_000 },
  () => {
    let app: TestApp;
    let client: TestClient;
    let browser: Browser;
    let grace: string;

    beforeAll(async () => {
      app = await startTestApp({ sandbox: true });
      client = await app.client(['read', 'write', 'admin'], 'sandbox');
      grace = await newUser('Grace Hopper');
      await newUser('Mary \u202Eredael');
      const left = await newUser('Left Long Ago');
      await client.patch(`/users/${left}`, { active: false }).expect(200);
      browser = await launchChromium();
    });

    afterAll(async () => {
      await browser?.close();
      await app?.close();
    });

    let count = 0;

    async function newUser(name: string): Promise<string> {
      count += 1;
      const { body } = await client
        .post('/users', { name, email: `seller-${count}@example.com` })
        .expect(201);
      return body.data.id;
    }

    const button = ({ page }: Dashboard) => page.locator('#acting-user');

    /** The user of the lead's latest event. */
    const lastActor = async (id: string) => (await eventsOf(client, id)).at(-1)?.actor.user_id;

    it('is chosen after signing in, is sent with each write, and can be changed', async () => {
      const dashboard = await Dashboard.open(browser, app);
      await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox', 'Grace');
      expect(await button(dashboard).textContent()).toBe('As Grace Hopper');
      const lead = await createLead(client, { name: 'Bought Once' });
      await dashboard.show(lead);
      await dashboard.card('new', lead.name).dragTo(dashboard.column('won'));
      await eventually(() => lastActor(lead.id)).toBe(grace);

      await button(dashboard).click();
      const { page } = dashboard;
      const field = page.getByRole('combobox', { name: 'Name' });
      expect(await field.inputValue()).toBe('Grace Hopper');
      await field.fill('');
      await page.locator('#who').getByRole('option', { name: 'No one' }).waitFor();
      expect(await page.locator('#who [role="option"]').count()).toBe(3);
      await page.keyboard.press('Enter');
      expect(await page.locator('#who').isVisible()).toBe(false);
      expect(await button(dashboard).textContent()).toBe('As no one');
      await dashboard.card('won', lead.name).dragTo(dashboard.column('qualified'));
      await eventually(() => lastActor(lead.id)).toBeNull();
      expect(dashboard.faults).toEqual([]);
      await dashboard.close();
    });

    it('can be found by keyboard among many, and never is an inactive user', async () => {
      for (let number = 10; number < 40; number += 1) await newUser(`Seller ${number}`);
      const dashboard = await Dashboard.open(browser, app);
      const { page } = dashboard;
      await page.clock.resume();
      await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox');
      await button(dashboard).focus();
      await page.keyboard.press('Enter');
      await page.getByText('20 of 32. Type to find others.').waitFor();
      await page.keyboard.type('left');
      await page.getByText('No active user is found.').waitFor();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('seller 3');
      await eventually(() => page.locator('#who [role="option"]').count()).toBe(10);
      await page.keyboard.press('ArrowDown');
      const active = await page.locator(':focus').getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${active}"] bdi`).textContent()).toBe('Seller 31');
      await page.keyboard.press('Enter');
      expect(await button(dashboard).textContent()).toBe('As Seller 31');
      await eventually(() => page.locator(':focus').getAttribute('id')).toBe('acting-user');

      await page.keyboard.press('Enter');
      await page.keyboard.type('mary');
      await page.locator('#who').getByRole('option', { name: 'Mary' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.locator('#who-user').inputValue()).toBe('Seller 31');
      await page.keyboard.press('Escape');
      expect(await page.locator('#who').isVisible()).toBe(false);
      expect(await button(dashboard).textContent()).toBe('As Seller 31');
      expect(dashboard.faults).toEqual([]);
      await dashboard.close();
    });

    it("is the client's own user if it has one, unless another one is chosen", async () => {
      const dashboard = await Dashboard.open(browser, app);
      const credentials = await app.credentials(['read', 'write'], 'sandbox');
      await client.patch(`/clients/${credentials.client_id}`, { user_id: grace }).expect(200);
      await dashboard.signIn(credentials, 'sandbox');
      expect(await button(dashboard).textContent()).toBe('As Grace Hopper');
      await button(dashboard).click();
      await dashboard.page.locator('#who-user').click();
      await dashboard.page.locator('#who').getByRole('option', { name: 'Grace' }).waitFor();
      expect(await dashboard.page.locator('#who').getByRole('option', { name: 'No one' }).count()).toBe(0);
      expect(dashboard.faults).toEqual([]);
      await dashboard.close();
    });

    it('is not asked for if the client may not read users', async () => {
      const dashboard = await Dashboard.open(browser, app);
      await dashboard.signIn(
        await app.credentials(
          ['leads:read', 'leads:write', 'analytics:read', 'events:read', 'webhooks:read'],
          'sandbox',
        ),
        'sandbox',
      );
      await dashboard.loaded();
      expect(await dashboard.page.locator('#who').isVisible()).toBe(false);
      expect(await button(dashboard).isVisible()).toBe(false);
      expect(dashboard.faults).toEqual([]);
      await dashboard.close();
    });

    it('is refused by the API once inactive, and the page says so', async () => {
      const gone = await newUser('Gone Soon');
      const lead = await createLead(client, { name: 'Waiting Lead' });
      const dashboard = await Dashboard.open(browser, app);
      await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox', 'Gone Soon');
      await dashboard.show(lead);
      await client.patch(`/users/${gone}`, { active: false }).expect(200);
      dashboard.expected = [400, 422];
      await dashboard.card('new', lead.name).dragTo(dashboard.column('won'));
      await dashboard.page.getByText(/Waiting Lead was not moved\. .*Acting-User/).waitFor();
      await dashboard.close();
    });
  },
);
