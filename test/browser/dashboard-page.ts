import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { components } from '../../generated/api.ts';
import type { ClientCredentials } from '../../src/clients/operator.ts';
import type { Environment } from '../../src/environment.ts';
import type { TestApp } from '../support/app.ts';
import { seed } from '../support/bulk-jobs.ts';
import type { TestClient } from '../support/client.ts';

type Lead = components['schemas']['Lead'];

/** Waits for something on the page. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 45_000 });
}

/** Matches requests for the event log. */
export const FEED = /\/v1\/events\?/;
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The pipeline page in its own tab. */
export class Dashboard {
  /** Errors, except for responses that the test expects. */
  readonly faults: string[] = [];
  readonly page: Page;
  readonly app: TestApp;
  /** Statuses of failed responses that the test provokes. The browser logs them as console errors. */
  expected: number[] = [];

  private constructor(page: Page, app: TestApp) {
    this.page = page;
    this.app = app;
    page.setDefaultTimeout(45_000);
    page.on('console', (message) => {
      const isExpected = this.expected.some((status) => message.text().includes(`status of ${status}`));
      if (['error', 'warning'].includes(message.type()) && !isExpected) this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== app.url) this.faults.push(`${request.url()} is not ours`);
    });
    page.on('response', (response) => {
      const isFailure = response.status() >= 400 && !this.expected.includes(response.status());
      if (isFailure) this.faults.push(`${response.url()} answered ${response.status()}`);
    });
  }

  static async open(browser: Browser, app: TestApp, options: BrowserContextOptions = {}): Promise<Dashboard> {
    // High enough that nothing scrolls while a card is dragged.
    const page = await browser.newPage({ viewport: { width: 1280, height: 1400 }, ...options });
    const dashboard = new Dashboard(page, app);
    await page.clock.install();
    await page.goto(`${app.url}/dashboard`);
    return dashboard;
  }

  /** A page that is signed in as a new client and shows the board. */
  static async signedIn(
    browser: Browser,
    app: TestApp,
    { scopes, ...options }: BrowserContextOptions & { scopes?: string[] } = {},
  ): Promise<Dashboard> {
    const dashboard = await Dashboard.open(browser, app, options);
    await dashboard.signInAnew(scopes);
    return dashboard;
  }

  /** Signs in as a new client of the sandbox, and waits for the board. Returns the client's credentials. */
  async signInAnew(scopes?: string[]): Promise<ClientCredentials> {
    const credentials = await this.app.credentials(scopes, 'sandbox');
    await this.signIn(credentials, 'sandbox');
    await this.loaded();
    return credentials;
  }

  /** Prepares a page that tests share for the next one. */
  async begin(): Promise<void> {
    await this.page.unrouteAll();
    this.expected = [];
    this.faults.length = 0;
  }

  /** Also signs out, by loading the page again, without the search and the filters in its address. */
  async restart(): Promise<void> {
    await this.page.goto(`${this.app.url}/dashboard`);
    await this.begin();
  }

  /** Signs in, and acts for the user with this name, or for nobody. Waits for the page or an error. */
  async signIn(
    { client_id, client_secret }: ClientCredentials,
    environment: Environment,
    user?: string,
  ): Promise<void> {
    await this.page.getByLabel(environment === 'production' ? 'Production' : 'Sandbox').check();
    await this.page.getByLabel('Client id').fill(client_id);
    await this.page.getByLabel('Client secret').fill(client_secret);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.locator('#pipeline:not([hidden]), #sign-in-error:not(:empty)').waitFor();
    if (!(await this.page.locator('#who').isVisible())) return;
    if (user !== undefined) await this.chooseActingUser(user);
    else await this.page.getByRole('button', { name: 'Continue' }).press('Enter');
  }

  /** In the dialog that asks for the user. */
  async chooseActingUser(name: string): Promise<void> {
    await this.page.locator('#who-user').fill(name);
    await this.page.locator('#who').getByRole('option', { name }).click();
  }

  /** Waits until every column shows leads, or says that it has none. */
  async loaded(): Promise<void> {
    for (const status of ['new', 'contacted', 'qualified', 'won', 'lost']) {
      await this.column(status).locator('li').first().waitFor({ state: 'attached' });
    }
  }

  column(status: string): Locator {
    return this.page.locator(`.column[data-status="${status}"]`);
  }

  card(status: string, name: string): Locator {
    return this.column(status).locator('.card', { has: this.page.getByText(name, { exact: true }) });
  }

  /** The total that a column shows. */
  async total(status: string): Promise<number> {
    const text = await this.column(status).locator('.total').textContent();
    return Number(text?.replaceAll(',', ''));
  }

  async search(words: string): Promise<void> {
    const answer = this.page.waitForResponse((response) => {
      const { pathname, searchParams } = new URL(response.url());
      return pathname.endsWith('/leads') && (searchParams.get('search') ?? '') === words;
    });
    await this.page.getByLabel('Search the board').fill(words);
    await answer;
  }

  /** Searches for this lead, so that the board shows no other. */
  async show({ status, name }: Lead): Promise<void> {
    await this.search(name);
    await this.card(status, name).waitFor({ state: 'attached' });
    await this.page.getByText('1 lead found').waitFor();
  }

  /** Makes the API reject every change of a lead. */
  async rejectChanges(): Promise<void> {
    this.expected = [403];
    const message = 'This needs the scope leads:write.';
    await this.page.route('**/leads/lead_*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, json: { message, code: 'insufficient_scope' } })
        : route.fallback(),
    );
  }

  /** Makes the page poll the log now instead of in three seconds. */
  async look(): Promise<void> {
    await this.page.clock.fastForward(3_000);
  }

  /** Withholds events from the page until the returned function is called. */
  async holdEvents(): Promise<() => Promise<void>> {
    const held = this.page.waitForRequest(FEED);
    const hold = () => {};
    await this.page.route(FEED, hold);
    await this.look();
    await held;
    return () => this.page.unroute(FEED, hold);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

/** Fills the sandbox. Returns a client with all scopes in it. */
export async function seedSandbox(app: TestApp, leads: number): Promise<TestClient> {
  const client = await app.client(['read', 'write'], 'sandbox');
  await seed(app, client, { seed: 7, leads });
  return client;
}
