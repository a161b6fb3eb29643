/** What a browser gets that has sent a form, and what is kept of bots and of other pages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, type Hook, leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const FORM = 'application/x-www-form-urlencoded';
/** As Chrome sends it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
/** As Java's HttpURLConnection sends it. */
const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const redirect_url = 'https://www.example.com/thanks?from=form';
const encode = (form: object) => new URLSearchParams({ ...form }).toString();

const sendForm = (hook: Hook, form: object, headers: Record<string, string> = {}) =>
  send(app, hook, encode(form), { Accept: BROWSER, ...headers })
    .type(FORM)
    .redirects(0);

describe('A browser that sends a form', () => {
  it('goes on to the redirect_url', async () => {
    const hook = await makeHook(client, { redirect_url });
    const form = formInput();
    const { headers, text } = await sendForm(hook, form).expect(303);
    expect(headers.location).toBe(redirect_url);
    expect(text).toBe('');
    expect(await leadsOf(client, form.email)).toHaveLength(1);
    // The same again, and a form that makes no lead: what was sent has arrived.
    await sendForm(hook, form).expect(303);
    await sendForm(hook, { name: 'Ada' }).expect(303);
  });

  it('goes on after multipart/form-data too', async () => {
    const hook = await makeHook(client, { redirect_url });
    const body = new FormData();
    for (const [name, value] of Object.entries(formInput())) body.append(name, value);
    const answer = await fetch(`${app.url}/v1/hooks/${hook.token}`, {
      method: 'POST',
      body,
      headers: { Accept: BROWSER },
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, redirect_url]);
  });

  it('shows a plain page that thanks if there is no redirect_url', async () => {
    const { headers, text } = await sendForm(await makeHook(client), formInput()).expect(202);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<h1>Thank you</h1>');
    expect(text).toContain('<p>Your message has arrived.</p>');
  });

  it.each([
    ['application/json', BROWSER],
    ['application/json', JAVA],
    [FORM, '*/*'],
    [FORM, 'application/json'],
    [FORM, undefined],
  ])('is told from a program that sends %s and accepts %s', async (type, accept) => {
    const hook = await makeHook(client, { redirect_url });
    const form = formInput();
    const request = send(app, hook, type === FORM ? encode(form) : JSON.stringify(form))
      .type(type)
      .redirects(0);
    const { body } = await (accept === undefined ? request : request.set('Accept', accept)).expect(202);
    expect(body.data.status).toBe('created');
  });

  it('shows a page about an error', async () => {
    const hook = await makeHook(client, { allowed_origins: ['https://www.example.com'] });
    const other = await sendForm(hook, formInput(), { Origin: 'https://other.example' }).expect(403);
    expect(other.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(other.text).toContain('<h1>Your message was not sent</h1>');
    expect(other.text).toContain('This hook does not take data from pages of https://other.example.');
    const script = await sendForm(hook, formInput(), { Origin: 'https://<script>.example' }).expect(403);
    expect(script.text).toContain('https://&lt;script&gt;.example');
    await client.patch(hook.path, { status: 'paused' }).expect(200);
    expect((await sendForm(hook, formInput()).expect(404)).text).toContain('The hook does not exist.');
    const json = await send(app, hook, formInput(), { Accept: BROWSER }).expect(404);
    expect(json.body.code).toBe('not_found');
  });
});

describe('redirect_url', () => {
  it('is shown, changed and cleared, and spelled in ASCII', async () => {
    const hook = await makeHook(client, { redirect_url: 'https://münchen.example/größe' });
    const { body } = await client.get(hook.path).expect(200);
    expect(body.data.redirect_url).toBe('https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe');
    const patched = await client.patch(hook.path, { redirect_url: null }).expect(200);
    expect(patched.body.data.redirect_url).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com/thanks',
    '/thanks',
    'https://',
    'https://user:password@example.com/',
    'https://exa mple.com/',
    'https://example.com/\r\nSet-Cookie: a=b',
    `https://example.com/${'x'.repeat(1_000)}`,
    7,
  ])('must be an address of a page: %j', async (url) => {
    const fields = { name: 'Form', redirect_url: url };
    await expectRefusal(client.post('/inbound-hooks', fields), { field: 'redirect_url' });
    const { path } = await makeHook(client);
    await expectRefusal(client.patch(path, { redirect_url: url }), { field: 'redirect_url' });
  });
});

describe('A honeypot', () => {
  it('that is filled in gives the answer of a success, and no lead', async () => {
    const hook = await makeHook(client, { honeypot: 'website' });
    const form = formInput({ website: 'https://spam.example' });
    const { body, status } = await send(app, hook, form);
    const good = await send(app, hook, formInput({ website: '' }));
    expect([status, body.data.status, Object.keys(body.data)]).toEqual([
      good.status,
      good.body.data.status,
      Object.keys(good.body.data),
    ]);
    expect(await leadsOf(client, form.email)).toEqual([]);
    expect(await readDelivery(client, hook, body.data.delivery_id)).toMatchObject({
      status: 'skipped',
      lead_id: null,
      warnings: [{ field: 'website', message: expect.stringContaining('bot') }],
      payload: form,
    });
    const events = await client.get(`/events?type=inbound.rejected&resource_id=${hook.id}`);
    expect(events.body.data ?? []).toEqual([]);
  });

  it('makes no lead either when the bot tries again', async () => {
    const hook = await makeHook(client, { honeypot: 'website' });
    const form = formInput({ website: 'x' });
    const first = await sendIn(app, hook, form);
    expect(await sendIn(app, hook, form)).toEqual(first);
    expect(await leadsOf(client, form.email)).toEqual([]);
  });

  it('also sends a browser on', async () => {
    const hook = await makeHook(client, { honeypot: 'website', redirect_url });
    await sendForm(hook, formInput({ website: 'x' })).expect(303);
  });

  it.each([{}, { website: '' }, { website: ' ' }, { website: null }])(
    'that is empty does nothing: %j',
    async (fields) => {
      const hook = await makeHook(client, { honeypot: 'website' });
      const form = formInput(fields);
      expect((await sendIn(app, hook, form)).status).toBe('created');
      expect(await leadsOf(client, form.email)).toHaveLength(1);
    },
  );

  it('may have caught a person: reprocessing makes the lead', async () => {
    const hook = await makeHook(client, { honeypot: 'website' });
    const form = formInput({ website: 'filled in by the browser' });
    const { delivery_id } = await sendIn(app, hook, form);
    const { body } = await client.post(`${hook.path}/deliveries/${delivery_id}/reprocess`).expect(200);
    expect(body.data.status).toBe('created');
    expect(await leadsOf(client, form.email)).toHaveLength(1);
  });

  it.each(['__proto__', 'constructor'])('may be called %s', async (honeypot) => {
    const hook = await makeHook(client, { honeypot });
    expect((await sendIn(app, hook, formInput())).status).toBe('created');
  });
});

describe('allowed_origins', () => {
  const allowed = 'https://www.example.com';

  it('lets the pages of these origins send and read the answer', async () => {
    const hook = await makeHook(client, { allowed_origins: [allowed, 'http://localhost:8080'] });
    for (const Origin of [allowed, 'http://localhost:8080']) {
      const { headers } = await send(app, hook, formInput(), { Origin }).expect(202);
      expect([headers['access-control-allow-origin'], headers.vary]).toEqual([Origin, 'Origin']);
    }
  });

  it.each([
    'https://other.example',
    'https://www.example.com.evil.example',
    'https://www.example.com:444',
    'http://www.example.com',
    'https://example.com',
    'null',
  ])('refuses pages of %s, and leaves nothing', async (Origin) => {
    const hook = await makeHook(client, { allowed_origins: [allowed] });
    const form = formInput();
    const { body, headers } = await send(app, hook, form, { Origin }).expect(403);
    expect(body.code).toBe('origin_not_allowed');
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([allowed, 'Origin']);
    expect(await leadsOf(client, form.email)).toEqual([]);
    expect((await client.get(`${hook.path}/deliveries`)).body.meta.total).toBe(0);
  });

  it('does not concern programs', async () => {
    const hook = await makeHook(client, { allowed_origins: [allowed] });
    await send(app, hook, formInput()).expect(202);
  });

  it('are kept as browsers send them, once, until they are replaced', async () => {
    const given = ['https://WWW.Example.com', 'https://www.example.com:443/', 'https://münchen.example'];
    const hook = await makeHook(client, { allowed_origins: given });
    const { body } = await client.get(hook.path).expect(200);
    expect(body.data.allowed_origins).toEqual([allowed, 'https://xn--mnchen-3ya.example']);
    const patched = await client.patch(hook.path, { allowed_origins: null }).expect(200);
    expect(patched.body.data.allowed_origins).toEqual([]);
  });

  it.each([
    '*',
    'null',
    'www.example.com',
    'https://www.example.com/page',
    'https://a@b.example',
    'ftp://a.example',
  ])('must be origins: %j', async (origin) => {
    await expectRefusal(client.post('/inbound-hooks', { name: 'Form', allowed_origins: [origin] }), {
      field: 'allowed_origins.0',
    });
  });

  it('are at most ten', async () => {
    const allowed_origins = Array.from({ length: 11 }, (_, n) => `https://${n}.example`);
    await expectRefusal(client.post('/inbound-hooks', { name: 'Form', allowed_origins }), {
      field: 'allowed_origins',
    });
  });
});
