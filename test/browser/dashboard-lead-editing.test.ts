import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, createUser } from '../support/factories.ts';
import { executablePath, launchChromium } from './chromium.ts';
import { Dashboard, eventually } from './dashboard-page.ts';
import { type Lead, LeadPanel } from './lead-panel.ts';

describe.skipIf(executablePath === undefined)("editing in a lead's panel", { timeout: 150_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let mary: string;
  let dashboard: Dashboard;

  beforeAll(async () => {
    app = await startTestApp({ sandbox: true });
    client = await app.client(['read', 'write'], 'sandbox');
    await createUser(client, { name: 'Grace Hopper' });
    mary = await createUser(client, { name: 'Mary Jackson' });
    browser = await launchChromium();
    dashboard = await Dashboard.open(browser, app);
    await dashboard.signIn(await app.credentials(['read', 'write'], 'sandbox'), 'sandbox', 'Grace');
    await dashboard.loaded();
  });

  beforeEach(() => dashboard.begin());

  afterEach(async () => {
    expect(dashboard.faults).toEqual([]);
    await dashboard.page.keyboard.press('Escape');
  });

  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const panel = (within = dashboard) => new LeadPanel(within).element;
  const read = async ({ id }: Lead): Promise<Lead> =>
    (await client.get(`/leads/${id}`).expect(200)).body.data;

  const open = (lead: Lead, within = dashboard) => new LeadPanel(within).open(lead);
  const detail = (name: string) => new LeadPanel(dashboard).detail(name);

  it('changes the status and the owner, and the board follows at once', async () => {
    const lead = await createLead(client, { name: 'Joan Clarke' });
    await dashboard.show(lead);
    await open(lead);
    await panel().getByLabel('Status').selectOption('Qualified');
    await dashboard.card('qualified', lead.name).waitFor();
    await panel().getByRole('combobox', { name: 'Owner' }).fill('mary');
    await panel().getByRole('option', { name: 'Mary Jackson' }).click();
    await eventually(async () => (await read(lead)).assigned_user_id).toBe(mary);
    const history = panel().locator('.history li');
    await history
      .filter({ hasText: 'assigned to Mary Jackson' })
      .filter({ hasText: 'Grace Hopper through Test' })
      .waitFor();
    await history.filter({ hasText: 'new → qualified' }).waitFor();
  });

  it('edits the fields in a form, and shows errors of the API next to them', async () => {
    const other = await createLead(client, { name: 'Has The Address' });
    const lead = await createLead(client, { name: 'Annie Easley', metadata: { plan: 'free', room: '7' } });
    await open(lead);
    const { page } = dashboard;
    await panel().getByRole('button', { name: 'Edit' }).click();
    const field = (label: string) => panel().getByLabel(label, { exact: true });
    expect(await page.locator(':focus').inputValue()).toBe('Annie Easley');
    expect(await panel().getByLabel('Status').isVisible()).toBe(false);
    await field('Email').fill('nobody');
    await field('Phone').fill('12');
    await field('Value').fill('lots');
    await field('Currency').fill('eur');
    dashboard.expected = [422];
    await page.keyboard.press('Enter');
    await panel().getByText('Email must be an email address.').waitFor();
    expect(await page.locator(':focus').inputValue()).toBe('nobody');
    for (const label of ['Email', 'Phone', 'Value']) {
      expect(await field(label).getAttribute('aria-invalid')).toBe('true');
      const described = await field(label).getAttribute('aria-describedby');
      expect(await page.locator(`[id="${described}"]`).textContent()).not.toBe('');
    }
    expect(await field('Company').getAttribute('aria-invalid')).toBeNull();

    await field('Email').fill(other.email);
    await field('Phone').fill('+49 151 12345678');
    await field('Value').fill('99.50');
    await page.keyboard.press('Enter');
    await panel().getByRole('link', { name: 'Open the existing lead' }).waitFor();
    expect(await panel().getByRole('link', { name: 'Open the existing lead' }).getAttribute('href')).toBe(
      `#${other.id}`,
    );

    await field('Email').fill('annie@example.com');
    await field('Company').fill('NASA');
    await field('Source').selectOption('referral');
    await field('Source detail').fill('Cleveland');
    await field('Expected close').fill('2027-03-01');
    await field('Tags, separated by commas').fill('rocket, , code');
    await panel().getByLabel('Own fields').fill('plan: pro\nnew one: a: b');
    await page.getByRole('button', { name: 'Save' }).click();
    await detail('Company').getByText('NASA').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Edit');
    expect(await read(lead)).toMatchObject({
      name: 'Annie Easley',
      email: 'annie@example.com',
      phone: '+4915112345678',
      company: 'NASA',
      source: 'referral',
      source_detail: 'Cleveland',
      value: { amount: '99.50', currency: 'EUR' },
      expected_close_on: '2027-03-01',
      tags: ['rocket', 'code'],
      metadata: { plan: 'pro', 'new one': 'a: b' },
      version: 2,
    });
  });

  it('shows what someone else has changed meanwhile, and lets the user decide', async () => {
    const lead = await createLead(client, { name: 'Radia Perlman', company: 'DEC' });
    await open(lead);
    const { page } = dashboard;
    await panel().getByRole('button', { name: 'Edit' }).click();
    await panel().getByLabel('Company').fill('Sun');
    const release = await dashboard.holdEvents();
    await client.patch(`/leads/${lead.id}`, { company: 'Intel', phone: '+15550100' }).expect(200);
    dashboard.expected = [412];
    await page.getByRole('button', { name: 'Save' }).click();
    await panel().getByText('Someone else has changed this lead.').waitFor();
    expect(await panel().locator('form li').allTextContents()).toEqual([
      'phone: nothing → +15550100',
      'company: DEC → Intel',
    ]);
    expect((await read(lead)).company).toBe('Intel');
    await page.getByRole('button', { name: 'Save' }).click();
    await detail('Company').getByText('Sun').waitFor();
    expect(await read(lead)).toMatchObject({ company: 'Sun', phone: '+15550100' });
    await release();

    await panel().getByRole('button', { name: 'Edit' }).click();
    await panel().getByLabel('Company').fill('Unsaved');
    await page.keyboard.press('Escape');
    await panel().getByText('You have changes that are not saved.').waitFor();
    expect(await panel().getByLabel('Company').inputValue()).toBe('Unsaved');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await detail('Company').getByText('Sun').waitFor();
  });

  it('says that nothing was saved if someone else changed the lead before the status was chosen', async () => {
    const lead = await createLead(client, { name: 'Sophie Wilson' });
    await open(lead);
    await dashboard.holdEvents();
    await client.patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
    dashboard.expected = [412];
    await panel().getByLabel('Status').selectOption('Won');
    await panel().getByText('Nothing was saved, because someone else has changed this lead.').waitFor();
    expect(await panel().getByLabel('Status').inputValue()).toBe('contacted');
    expect((await read(lead)).status).toBe('contacted');
  });

  it('lists, adds, pins, edits and deletes notes', async () => {
    const lead = await createLead(client, { name: 'Karen Jones' });
    await client.post('/notes', { lead_id: lead.id, text: 'First', author_name: 'Ada' }).expect(201);
    await open(lead);
    const { page } = dashboard;
    const notes = panel().locator('.notes > li');
    await notes.filter({ hasText: 'First' }).filter({ hasText: 'Ada' }).waitFor();
    await panel().getByLabel('New note').fill('<b>Second</b>\nline');
    await page.keyboard.press('Escape');
    await panel().getByText('Your note is not saved.').waitFor();
    await panel().getByRole('button', { name: 'Add note' }).click();
    await notes.filter({ hasText: '<b>Second</b>' }).filter({ hasText: 'Grace Hopper' }).waitFor();
    expect(await panel().getByLabel('New note').inputValue()).toBe('');
    await notes.filter({ hasText: 'First' }).getByRole('button', { name: 'Pin', exact: true }).click();
    await eventually(async () => (await notes.allTextContents())[0]).toMatch(/^First.*Pinned/);
    await notes.filter({ hasText: 'Second' }).getByRole('button', { name: 'Edit' }).click();
    await panel().getByLabel('Note', { exact: true }).fill('Changed');
    await dashboard.look();
    expect(await panel().getByLabel('Note', { exact: true }).inputValue()).toBe('Changed');
    await panel().getByRole('button', { name: 'Save note' }).click();
    await notes.filter({ hasText: 'Changed' }).waitFor();
    await notes.filter({ hasText: 'Changed' }).getByRole('button', { name: 'Delete' }).click();
    expect(await notes.count()).toBe(2);
    await page.getByRole('button', { name: 'Really delete?' }).click();
    await notes.filter({ hasText: 'Changed' }).waitFor({ state: 'detached' });
    const { body } = await client.get(`/notes?lead_id=${lead.id}`).expect(200);
    expect(body.data).toMatchObject([{ text: 'First', pinned: true }]);
  });
});
