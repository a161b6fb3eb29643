/** Deleting and merging leads on the pipeline page, and opening deliveries. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { makeHook } from '../support/hooks.ts';
import { seriousFaults } from './axe.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually, PHONE } from './dashboard-page.ts';
import { LeadPanel } from './lead-panel.ts';

describe.skipIf(executablePath === undefined)('on the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let dashboard: Dashboard;
  let panel: LeadPanel;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    browser = await launchChromium();
    dashboard = await Dashboard.signedIn(browser, app, { scopes: ['read', 'write'] });
    panel = new LeadPanel(dashboard);
  });

  beforeEach(() => dashboard.begin());

  afterEach(() => expect(dashboard.faults).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const statusOf = async (id: string) => (await client.get(`/leads/${id}`)).status;
  const undo = () => dashboard.page.locator('#undo');

  it('a lead is deleted after 15 seconds, unless somebody undoes it', async () => {
    const lead = await createLead(client, { name: 'Ada Deleted' });
    await panel.open(lead);
    await panel.element.getByRole('button', { name: 'Delete' }).click();
    expect(await undo().textContent()).toBe('Ada Deleted will be deleted in 15 seconds.Undo');
    await undo().getByRole('button', { name: 'Undo' }).click();
    await dashboard.page.clock.fastForward(20_000);
    expect(await statusOf(lead.id)).toBe(200);

    await panel.open(lead);
    await panel.element.getByRole('button', { name: 'Delete' }).click();
    await dashboard.page.clock.fastForward(14_000);
    expect(await statusOf(lead.id)).toBe(200);
    await dashboard.page.clock.fastForward(2_000);
    await eventually(() => statusOf(lead.id)).toBe(404);
  });

  it('a waiting deletion happens at once when somebody does something else, and never to a lead that has changed', async () => {
    const [first, second] = [await createLead(client), await createLead(client, { name: 'Bob Changed' })];
    await panel.open(first);
    await panel.element.getByRole('button', { name: 'Delete' }).click();
    await panel.open(second);
    await panel.element.getByRole('button', { name: 'Delete' }).click();
    await client.patch(`/leads/${second.id}`, { company: 'Engines' }).expect(200);
    await eventually(() => statusOf(first.id)).toBe(404);
    dashboard.expected = [412];
    await dashboard.page.clock.fastForward(16_000);
    await dashboard.page.getByText('was not deleted, because someone else has changed').waitFor();
    expect(await statusOf(second.id)).toBe(200);
  });

  it('another lead is merged into the one that is open', async () => {
    const survivor = await createLead(client, { name: 'Ada Stays' });
    const other = await createLead(client, { name: 'Ada Goes' });
    await panel.open(survivor);
    await panel.element.getByRole('button', { name: 'Merge' }).click();
    const dialog = dashboard.page.getByRole('dialog', { name: 'Merge another lead into Ada Stays' });
    await dialog.getByRole('searchbox').fill('Ada');
    await dashboard.page.clock.fastForward(1_000);
    const choice = dialog.getByRole('button', { name: 'Ada Goes' });
    await choice.waitFor();
    expect(await dialog.getByRole('button', { name: 'Ada Stays' }).count()).toBe(0);
    expect(await seriousFaults(dashboard.page, 'light', '#merge')).toEqual([]);
    await choice.click();
    await dialog.getByText('This can’t be undone').waitFor();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await eventually(() => statusOf(other.id)).toBe(410);
    await undo().getByText('Ada Goes is a part of Ada Stays now.').waitFor();
  });

  it('a delivery opens: what was sent, why it was rejected, and a button that processes it again', async () => {
    const hook = await makeHook(client, { name: 'Form' });
    const deliver = (payload: object) =>
      app.anonymous.at(`${app.url}/sandbox/v1`).post(`/hooks/${hook.token}`, payload).expect(202);
    await deliver({ name: '<b>Ada</b>', q7: { answer: 'ada@example.com' } });
    const rows = dashboard.page.locator('#deliveries li');
    await eventually(async () => {
      await dashboard.page.clock.fastForward(60_000);
      return rows.count();
    }).toBe(1);
    await rows.getByRole('button', { name: 'Form' }).click();
    const dialog = dashboard.page.getByRole('dialog', { name: 'A delivery to Form' });
    await dialog.getByText('"<b>Ada</b>"').waitFor();
    await dialog.getByText(/^email /).waitFor();
    expect(await seriousFaults(dashboard.page, 'light', '#delivery')).toEqual([]);
    await client
      .patch(`/inbound-hooks/${hook.id}`, { mapping: { name: '$.name', email: '$.q7.answer' } })
      .expect(200);
    await dialog.getByRole('button', { name: 'Process again' }).click();
    await dialog.getByText('created', { exact: true }).waitFor();
    expect(await dialog.getByRole('link', { name: 'Open it' }).count()).toBe(1);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('a search on a phone opens the column that has hits', async () => {
    const lead = await createLead(client, { name: 'Grace Qualified', status: 'qualified' });
    const phone = await Dashboard.signedIn(browser, app, { ...PHONE, scopes: ['read'] });
    await phone.search(lead.name);
    await phone.card('qualified', lead.name).waitFor();
    expect(await phone.column('new').isVisible()).toBe(false);
    expect(phone.faults).toEqual([]);
    await phone.close();
  });

  it('a column shows that it loads, and a card cuts a long address at its end', async () => {
    const email = `${'long'.repeat(15)}@example.com`;
    const lead = await createLead(client, { name: 'Long Address', company: null, email });
    const other = await Dashboard.open(browser, app);
    const hold = () => {};
    await other.page.route(/\/leads\?.*status=new/, hold);
    await other.signIn(await app.credentials(['read'], 'sandbox'), 'sandbox');
    await other.column('new').getByText('Loading…').waitFor();
    await other.page.unroute(/\/leads\?.*status=new/, hold);
    await other.close();
    await dashboard.show(lead);
    const detail = dashboard.card('new', lead.name).locator('.detail');
    expect((await detail.boundingBox())?.height).toBeLessThan(25);
    expect(await detail.locator('bdi').getAttribute('title')).toBe(email);
  });
});
