import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
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
  await page.locator('.opblock').first().waitFor();
  return { page, faults };
}

/** Resets the page, faster than a reload: folds operations, and clears their responses, the credentials and the filter. */
export async function tidyUp(page: Page): Promise<void> {
  await page.evaluate(`{
    for (const control of ['.close-modal', '.btn-clear', '.cancel', '.is-open > .opblock-summary .opblock-summary-control'])
      for (const button of document.querySelectorAll(control)) button.click();
    const { authActions } = ui.getSystem();
    authActions.restoreAuthorization({ authorized: {} });
    for (const storage of [sessionStorage, localStorage]) storage.clear();
  }`);
  await page.getByLabel('Search operations').fill('');
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
  const operation = page.locator(`.opblock[id$="-${operationId}"]`);
  const isOpen = await operation.evaluate((element) => element.classList.contains('is-open'));
  if (!isOpen) await operation.locator('.opblock-summary-control').click();
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

/** The ids of the operations that the page lists. */
export function listed(page: Page): Promise<string[]> {
  return page
    .locator('.opblock-summary-operation-id:not(.webhooks *)')
    .evaluateAll((elements) => elements.map(({ textContent }) => `${textContent}`.replaceAll('\u200b', '')));
}

export async function find(page: Page, phrase: string): Promise<void> {
  await page.getByLabel('Search operations').fill(phrase);
}

/** The URLs whose responses make a browser ask the user to sign in. */
export async function watchSignInBoxes(session: CDPSession): Promise<string[]> {
  const urls: string[] = [];
  session.on('Fetch.requestPaused', ({ requestId }) => session.send('Fetch.continueRequest', { requestId }));
  session.on('Fetch.authRequired', ({ requestId, request }) => {
    urls.push(request.url);
    return session.send('Fetch.continueWithAuth', {
      requestId,
      authChallengeResponse: { response: 'CancelAuth' },
    });
  });
  await session.send('Fetch.enable', { handleAuthRequests: true });
  return urls;
}
