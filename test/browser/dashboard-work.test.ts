import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard } from './dashboard-page.ts';
import { type Lead, LeadPanel } from './lead-panel.ts';

describe.skipIf(executablePath === undefined)('work on the pipeline page', { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;

  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    await createUser(client, { name: 'Grace Hopper' });
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox', 'Grace');
    await dashboard.loaded();
  });

  beforeEach(() => dashboard.begin());

  afterEach(() => expect(dashboard.faults).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const read = async ({ id }: Lead): Promise<Lead> =>
    (await client.get(`/leads/${id}`).expect(200)).body.data;
  const undo = () => dashboard.page.locator('#undo');

  it('restores a status with its reason, and a lost lead to what it was', async () => {
    const lead = await createLead(client, { name: 'Back Again', status: 'lost', lost_reason: 'No budget' });
    await dashboard.show(lead);
    await dashboard.card('lost', lead.name).dragTo(dashboard.column('won'));
    await undo().getByText('Back Again is now won, in sales cycle 2. The one before stays lost.').waitFor();
    await undo().getByRole('button', { name: 'Undo' }).click();
    await undo().getByText('Undone: Back Again is as before.').waitFor();
    expect(await read(lead)).toMatchObject({ status: 'lost', lost_reason: 'No budget', version: 3 });
    await dashboard.card('lost', lead.name).waitFor();
  });

  it('leaves no trace of a sale or a reopening that was a slip', async () => {
    const value = { amount: '10.00', currency: 'EUR' };
    const lead = await createLead(client, { name: 'Slip Lead', status: 'contacted', value });
    await dashboard.show(lead);
    const reports = async () => {
      const { body } = await client.get('/analytics/timeseries?interval=month').expect(200);
      return body.data;
    };
    const before = await reports();
    await dashboard.card('contacted', lead.name).dragTo(dashboard.column('won'));
    await undo().getByText('Slip Lead is now won.').waitFor();
    await undo().getByRole('button', { name: 'Undo' }).click();
    await undo().getByText('Undone: Slip Lead is as before.').waitFor();
    expect(await read(lead)).toMatchObject({ status: 'contacted', first_won_at: null, value });
    expect(await reports()).toEqual(before);
    await client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    const sold = await reports();
    await dashboard.show(await read(lead));
    await dashboard.card('won', lead.name).dragTo(dashboard.column('new'));
    await undo().getByText('is now new, in sales cycle 2. The one before stays won.').waitFor();
    await undo().getByRole('button', { name: 'Undo' }).click();
    await undo().getByText('Undone: Slip Lead is as before.').waitFor();
    expect(await read(lead)).toMatchObject({ status: 'won', value, sales_cycle: { number: 1 } });
    expect(await reports()).toEqual(sold);
    const { body } = await client.get(`/sales-cycles?lead_id=${lead.id}`).expect(200);
    expect(body.meta.total).toBe(1);
  });

  it('restores fields by Ctrl+Z, but not while somebody types', async () => {
    const metadata = { plan: 'free' };
    const lead = await createLead(client, {
      name: 'Edited Lead',
      company: 'Before',
      tags: ['old'],
      metadata,
    });
    const panel = new LeadPanel(dashboard);
    await panel.open(lead);
    const { page } = dashboard;
    await panel.element.getByRole('button', { name: 'Edit' }).click();
    await panel.element.getByLabel('Company').fill('After');
    await panel.element.getByLabel('Tags, separated by commas').fill('new, old');
    await panel.element.getByLabel('Own fields').fill('room: 7');
    await panel.element.getByLabel('Value', { exact: true }).fill('5');
    await panel.element.getByLabel('Currency').fill('EUR');
    await page.keyboard.press('Enter');
    await panel.detail('Company').getByText('After').waitFor();
    expect(await read(lead)).toMatchObject({ tags: ['new', 'old'], metadata: { room: '7' } });
    await page.getByLabel('Search the board').focus();
    await page.keyboard.press('Control+Z');
    await panel.element.getByRole('heading', { name: lead.name }).focus();
    await page.keyboard.press('Control+Z');
    await panel.detail('Company').getByText('Before').waitFor();
    expect(await read(lead)).toMatchObject({
      company: 'Before',
      tags: ['old'],
      metadata,
      value: null,
      version: 3,
    });
    await page.keyboard.press('Escape');
  });

  it('changes nothing if someone else has changed the lead since, and says so', async () => {
    const lead = await createLead(client, { name: 'Contested Lead' });
    await dashboard.show(lead);
    await dashboard.card('new', lead.name).dragTo(dashboard.column('qualified'));
    await undo().getByText('Contested Lead is now qualified.').waitFor();
    await client.patch(`/leads/${lead.id}`, { company: 'Elsewhere' }).expect(200);
    dashboard.expected = [412];
    await undo().getByRole('button', { name: 'Undo' }).click();
    await dashboard.page.getByText(/Contested Lead was not changed back, because someone else/).waitFor();
    expect(await read(lead)).toMatchObject({ status: 'qualified', company: 'Elsewhere' });
    await dashboard.page.locator('#notice').getByRole('button', { name: 'Close' }).click();
  });

  it('is offered for some seconds only', async () => {
    const lead = await createLead(client, { name: 'Settled Lead' });
    await dashboard.show(lead);
    await dashboard.card('new', lead.name).dragTo(dashboard.column('contacted'));
    await undo().getByText('Settled Lead is now contacted.').waitFor();
    await dashboard.page.clock.fastForward(20_000);
    expect(await undo().isVisible()).toBe(false);
    await dashboard.page.keyboard.press('Control+Z');
    expect((await read(lead)).version).toBe(2);
  });

  it('shows whom to call today, and opens the lead', async () => {
    const due = new Date(Date.now() - 3_600_000).toISOString();
    const lead = await createLead(client, {
      name: 'Due Today',
      next_step: 'Send the offer',
      next_step_at: due,
    });
    await createLead(client, { name: 'Due Later', next_step: 'Wait', next_step_at: '2099-01-31' });
    await dashboard.search('Due');
    const todo = dashboard.page.locator('.todo');
    await todo.getByText('Send the offer').waitFor();
    expect(await todo.locator('.due').count()).toBe(1);
    await todo.getByRole('link', { name: 'Due Today' }).click();
    const panel = new LeadPanel(dashboard);
    await panel.detail('Next step').getByText('Send the offer').waitFor();
    await panel.element.getByRole('button', { name: 'Edit' }).click();
    await panel.element.getByLabel('Next step', { exact: true }).fill('Call');
    await panel.element.getByLabel('Next step at').fill('');
    await panel.element.getByRole('button', { name: 'Save' }).click();
    await todo.getByText('Nothing is due today.').waitFor();
    expect(await read(lead)).toMatchObject({ next_step: 'Call', next_step_at: null });
    await panel.element.getByRole('button', { name: 'Close' }).click();
  });
});
