/** The form of the chapter, on a page of another origin, thanks its visitor. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { uniqueEmail } from '../support/factories.ts';
import { leadsOf, makeHook } from '../support/hooks.ts';
import { readPage } from '../support/markdown.ts';
import { executablePath, launchChromium } from './chromium.ts';

/** The form that the chapter shows. */
const [form = ''] = /<form [\s\S]*<\/form>/.exec(readPage('docs/recipes-for-platforms.md')) ?? [];

describe.skipIf(executablePath === undefined)('a form on a plain page', { timeout: 60_000 }, () => {
  let app: TestApp;
  let client: TestClient;
  let browser: Browser;
  let site: Server;
  let origin: string;
  /** Of the site's page with the form. */
  let html = '';

  beforeAll(async () => {
    app = await startTestApp();
    client = await app.client();
    browser = await launchChromium();
    site = createServer((req, res) => {
      res.setHeader('Content-Type', 'text/html; charset=utf-8');
      res.end(req.url?.startsWith('/thanks') ? '<title>Site</title><h1>We will call you.</h1>' : html);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await app?.close();
  });

  /** Fills in the form of a hook with these fields, and sends it. */
  async function visit(
    fields: object,
    { charset = 'utf-8', enctype = '', website = '' } = {},
  ): Promise<{ page: Page; email: string }> {
    const { token } = await makeHook(client, { honeypot: 'website', ...fields });
    const filled = form
      .replace('https://api.example.com/v1/hooks/lph_live_…', `${app.url}/v1/hooks/${token}`)
      .replace('<form ', `<form accept-charset="${charset}" ${enctype} `);
    html = `<!doctype html><meta charset="utf-8"><title>Contact</title>${filled}`;
    const page = await browser.newPage();
    await page.goto(origin);
    const email = uniqueEmail();
    await page.getByLabel('Name').fill('Jürgen Größe');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Phone').fill('+49 (0)30 123456');
    await page.getByLabel('Message').fill('Please call me.');
    // People don't see it.
    await page.evaluate(`document.querySelector('[name=website]').value = ${JSON.stringify(website)}`);
    await page.getByRole('button', { name: 'Send' }).click();
    return { page, email };
  }

  async function expectLead(email: string): Promise<void> {
    await expect.poll(() => leadsOf(client, email)).toHaveLength(1);
    const [lead] = await leadsOf(client, email);
    expect(lead).toMatchObject({ name: 'Jürgen Größe', phone: '+4930123456' });
    const { body } = await client.get(`/notes?lead_id=${lead?.id}`).expect(200);
    expect(body.data).toMatchObject([{ text: 'Please call me.' }]);
  }

  it.each([
    { charset: 'utf-8' },
    { charset: 'windows-1252' },
    { enctype: 'enctype="multipart/form-data"' },
    { charset: 'iso-8859-15', enctype: 'enctype="multipart/form-data"' },
  ])('sends its visitor on to the thanks: %j', async (how) => {
    const { page, email } = await visit({ redirect_url: `${origin}/thanks`, allowed_origins: [origin] }, how);
    await page.getByRole('heading', { name: 'We will call you.' }).waitFor();
    expect(page.url()).toBe(`${origin}/thanks`);
    await expectLead(email);
    await page.close();
  });

  it('thanks by itself if the hook has no redirect_url', async () => {
    const { page, email } = await visit({});
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await page.getByRole('paragraph').textContent()).toBe('Your message has arrived.');
    await expectLead(email);
    await page.close();
  });

  it('thanks a bot too, without a lead', async () => {
    const { page, email } = await visit(
      { redirect_url: `${origin}/thanks` },
      { website: 'https://spam.example' },
    );
    await page.getByRole('heading', { name: 'We will call you.' }).waitFor();
    expect(await leadsOf(client, email)).toEqual([]);
    await page.close();
  });

  it('says so if pages of its origin may not send', async () => {
    const { page, email } = await visit({ allowed_origins: ['https://www.example.com'] });
    await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
    expect(await leadsOf(client, email)).toEqual([]);
    await page.close();
  });

  it('can also be sent by a script, which reads the receipt', async () => {
    const { token } = await makeHook(client, { allowed_origins: [origin], redirect_url: `${origin}/thanks` });
    html = '<!doctype html><title>Contact</title>';
    const page = await browser.newPage();
    await page.goto(origin);
    const send = (url: string) =>
      page.evaluate(
        async ([to, email]) => {
          const answer = await fetch(to ?? '', {
            method: 'POST',
            body: JSON.stringify({ name: 'Ada', email }),
            headers: { 'Content-Type': 'application/json' },
          });
          return answer.json();
        },
        [url, uniqueEmail()],
      );
    expect(await send(`${app.url}/v1/hooks/${token}`)).toMatchObject({ data: { status: 'created' } });
    const other = await makeHook(client, { allowed_origins: ['https://www.example.com'] });
    await expect(send(`${app.url}/v1/hooks/${other.token}`)).rejects.toThrow('Failed to fetch');
    await page.close();
  });
});
