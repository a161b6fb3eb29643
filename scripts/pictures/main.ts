/**
 * Takes the README's pictures: the pipeline page and the docs page, in light and in dark. They show a new service whose
 * sandbox has made-up data.
 */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { basePaths } from '../../src/environment.ts';
import { launchChromium } from '../../test/browser/chromium.ts';
import { startApi } from '../bench/service.ts';
import { closing, newFolder } from '../closing.ts';

const VIEWPORT = { width: 1280, height: 800 };
/** Bytes. A picture that needs more makes the README slow. */
const MAX_SIZE = 300_000;
const SEED = { seed: 42, leads: 300 };

const folder = join(import.meta.dirname, '../../docs/pictures');

interface Credentials {
  sandbox: { client_id: string; client_secret: string };
}

type Client = Credentials['sandbox'] & { origin: string };

interface Job {
  data: { id: string; status: string };
}

const pages = { dashboard: showDashboard, docs: showDocs };

await closing(async (closers) => {
  const dataDir = await newFolder(closers);
  const { url } = await startApi(closers, { dataDir });
  const { origin } = new URL(url);
  // A start does not wait for the sandbox.
  while ((await json<{ sandbox: string }>(fetch(`${origin}/readyz`))).sandbox !== 'ok') await sleep(200);
  const { sandbox } = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  const client = { ...sandbox, origin };
  await fill(client);
  const browser = await launchChromium();
  closers.push(() => browser.close());
  await mkdir(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, show] of Object.entries(pages)) {
      const page = await browser.newPage({ viewport: VIEWPORT, colorScheme, reducedMotion: 'reduce' });
      await show(page, client);
      await take(page, join(folder, `${name}-${colorScheme}.png`));
      await page.close();
    }
  }
});

async function take(page: Page, path: string): Promise<void> {
  await page.screenshot({ path });
  const { size } = await stat(path);
  console.log(`${path} (${Math.round(size / 1000)} kB)`);
  if (size > MAX_SIZE) throw new Error(`${path} has ${size} bytes, and may have ${MAX_SIZE}.`);
}

async function fill(client: Client): Promise<void> {
  const { client_id, client_secret } = client;
  const baseUrl = `${client.origin}${basePaths.sandbox}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const token = fetch(`${baseUrl}/auth/token`, { method: 'POST', body });
  const { access_token } = await json<{ access_token: string }>(token);
  const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' };
  const seeding = fetch(`${baseUrl}/sandbox/seed`, { method: 'POST', headers, body: JSON.stringify(SEED) });
  const { data: job } = await json<Job>(seeding);
  for (;;) {
    const { status } = (await json<Job>(fetch(`${baseUrl}/bulk-jobs/${job.id}`, { headers }))).data;
    if (status === 'completed') return;
    if (status === 'failed') throw new Error('The sandbox could not be filled.');
    await sleep(200);
  }
}

async function json<Body>(answer: Promise<Response>): Promise<Body> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}.`);
  return (await response.json()) as Body;
}

async function showDashboard(page: Page, client: Client): Promise<void> {
  await page.goto(new URL('/dashboard', client.origin).href);
  await page.getByLabel('Sandbox').check();
  await page.getByLabel('Client id').fill(client.client_id);
  await page.getByLabel('Client secret').fill(client.client_secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const who = page.locator('#who');
  await who.waitFor();
  await who.getByRole('button', { name: 'Continue' }).press('Enter');
  await page.locator('.column[data-status="won"] li').first().waitFor({ state: 'attached' });
  await page.locator('[data-figure="won"] dd:not(:empty)').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function showDocs(page: Page, client: Client): Promise<void> {
  await page.goto(new URL('/docs/#/Leads/createLead', client.origin).href);
  await page.locator('.opblock.is-open').waitFor();
  await page.waitForLoadState('networkidle');
  // Not the ring around the focused operation.
  await page.evaluate('document.activeElement.blur()');
}
