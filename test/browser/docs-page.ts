import type { Browser, Locator, Page } from 'playwright-core';
import type { ClientCredentials } from '../../src/clients/operator.ts';
import { type Environment, environments } from '../../src/environment.ts';
import type { TestApp } from '../support/app.ts';

/** Opens the page. `faults` collects its errors. */
export async function openDocs(app: TestApp, browser: Browser) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== app.url) faults.push(`${url} is not ours`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.url()} answered ${response.status()}`);
  });
  await page.goto(`${app.url}/docs`);
  await page.locator('.sidebar li').first().waitFor({ state: 'attached' });
  return { page, faults };
}

/** Resets the page, faster than a reload: folds operations, and clears their responses, the credentials and the filter. */
export async function tidyUp(page: Page): Promise<void> {
  await page.evaluate(`{
    for (const control of ['.close-modal', '.btn-clear', '.cancel', '.is-open > .opblock-summary .opblock-summary-control', '.is-open > .opblock-tag .expand-operation'])
      for (const button of document.querySelectorAll(control)) button.click();
    const { authActions, configsActions } = ui.getSystem();
    authActions.restoreAuthorization({ authorized: {} });
    for (const storage of [sessionStorage, localStorage]) storage.clear();
    configsActions.update('snippetLanguage', 'curl_bash');
  }`);
  await page.getByRole('searchbox').fill('');
  await selectServer(page, 'production');
}

export async function selectServer(page: Page, environment: Environment): Promise<void> {
  await page.getByLabel('Server', { exact: true }).selectOption({ index: environments.indexOf(environment) });
}

/** Fills in fields of the Authorize dialog, by id, and submits them. Leaves the dialog open. */
export async function authorize(page: Page, fields: Record<string, string>): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: 'Authorize' });
  if (!(await dialog.isVisible())) await page.locator('.auth-wrapper > .authorize').click();
  for (const [id, value] of Object.entries(fields)) await dialog.locator(`#${id}`).fill(value);
  const form = dialog.locator('.auth-container', { has: page.locator(`#${Object.keys(fields)[0]}`) });
  await form.getByRole('button', { name: 'Authorize' }).click();
  return dialog;
}

export async function authorizeClient(
  page: Page,
  { client_id, client_secret }: ClientCredentials,
): Promise<void> {
  const dialog = await authorize(page, credentialFields(client_id, client_secret));
  await dialog.getByText('Logout').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
}

export function credentialFields(clientId: string, clientSecret: string): Record<string, string> {
  return { client_id_clientCredentials: clientId, client_secret_clientCredentials: clientSecret };
}

export async function openOperation(page: Page, operationId: string): Promise<Locator> {
  // The link may be in a closed group.
  await page.locator(`.sidebar a[href$="/${operationId}"]`).dispatchEvent('click');
  const operation = page.locator(`.opblock[id$="-${operationId}"]`);
  await operation.locator('.opblock-body').waitFor();
  return operation;
}

/** Sends the operation from the page, and reads the response there. */
export async function tryOut(page: Page, operationId: string, body?: string) {
  const operation = await openOperation(page, operationId);
  await operation.getByText('Try it out').click();
  if (body !== undefined) await operation.locator('textarea.body-param__text').fill(body);
  return execute(operation);
}

export async function execute(operation: Locator) {
  await operation.getByText('Execute').click();
  const answer = operation.locator('.live-responses-table tr.response');
  const status = await answer.locator('.response-col_status').textContent();
  const url = await operation.locator('.request-url pre').textContent();
  return { status, url, text: await answer.textContent() };
}

/** The last part of each link in the sidebar: an operationId or the name of a schema. */
export async function links(page: Page): Promise<string[]> {
  const all = await page.locator('.sidebar li a').evaluateAll((elements) => elements.map(({ hash }) => hash));
  return all.map((hash) => hash.split('/').at(-1) ?? '');
}

/** Filters the sidebar, waits until it is drawn, and returns what it shows. */
export async function find(page: Page, phrase: string): Promise<string[]> {
  await page.getByRole('searchbox').fill(phrase);
  await page.locator(`.groups[data-phrase="${phrase}"]`).waitFor({ state: 'attached' });
  return links(page);
}
