/** A journey through the API with every kind of secret and personal data, in valid and invalid requests. */
import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { certificate } from './certificate.ts';
import type { Receiver } from './deliveries.ts';
import type { Secrets } from './secrets.ts';

type Headers = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: answers of many kinds
type Body = any;

interface Credentials {
  client_id: string;
  client_secret: string;
}

export class Journey {
  readonly secrets: Secrets = new Map();
  /** The responses to rejected requests, by request. */
  readonly refusals: Record<string, string> = {};
  /** Of all responses. */
  readonly statuses = new Set<number>();
  /** Origin of the service. */
  url = '';

  /** A unique text. */
  secret = (
    what: string,
    value = `${what.replaceAll(/\W/g, '')}${randomBytes(9).toString('hex')}`,
  ): string => {
    this.secrets.set(what, value);
    return value;
  };

  ask = async (method: string, path: string, headers: Headers = {}, body?: object | string) => {
    const sent = request(`${this.url}/v1${path}`, { method, ca: certificate, agent: false });
    const type = path.startsWith('/imports') ? 'text/csv' : 'application/json';
    if (body !== undefined) sent.setHeader('Content-Type', type);
    for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    const text = await readText(response);
    const status = response.statusCode ?? 0;
    this.statuses.add(status);
    if (status >= 400) {
      const number = Object.keys(this.refusals).length;
      const at = `answer ${number}: ${status} to ${method} ${path.split('?')[0]}`;
      this.refusals[at] = JSON.stringify(response.headers) + text;
    }
    const isJson = response.headers['content-type']?.startsWith('application/json');
    return { status, body: (isJson ? JSON.parse(text) : undefined) as Body };
  };

  tokenOf = async ({ client_id, client_secret }: Credentials, what: string): Promise<Headers> => {
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    const { body } = await this.ask('POST', '/auth/token', {}, grant);
    const [, payload, signature] = this.secret(what, body.access_token).split('.');
    this.secret(`${what}, its claims`, payload);
    this.secret(`${what}, its signature`, signature);
    return { Authorization: `Bearer ${body.access_token}` };
  };
}

const basicOf = (id: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
});

/** Credentials of every kind, valid and invalid. Returns a token for the data. */
export async function useCredentials(
  { ask, secret, tokenOf }: Journey,
  first: Credentials,
  operator: Credentials,
): Promise<Headers> {
  const { client_id, client_secret } = first;
  const own = await tokenOf(first, 'token');
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const grant = 'grant_type=client_credentials';
  await ask('POST', '/auth/token', { ...form, ...basicOf(client_id, client_secret) }, grant);
  await ask('POST', '/auth/token', { ...form, ...basicOf(client_id, secret('wrong secret')) }, grant);
  const asId = {
    grant_type: 'client_credentials',
    client_id: secret('secret as client_id'),
    client_secret: 'x',
  };
  await ask('POST', '/auth/token', {}, asId);
  await ask('POST', '/auth/token', {}, { client_id, client_secret, grant_type: secret('wrong grant') });
  await ask('POST', '/auth/token', {}, `{"client_secret": "${secret('secret in broken JSON')}`);
  await ask('GET', '/leads', { Authorization: `Bearer ${secret('wrong token')}` });
  await ask('GET', '/leads', { Authorization: secret('token without its scheme') });
  await ask('GET', `/leads?access_token=${secret('token in the query')}`);
  await ask('GET', '/leads', { 'X-API-Key': secret('wrong API key') });
  await ask('GET', '/leads', { Cookie: secret('cookie') });

  const admin = await tokenOf(operator, 'token of an admin');
  const key = { 'Idempotency-Key': secret('Idempotency-Key') };
  const made = await ask('POST', '/clients', { ...admin, ...key }, { name: 'New', scopes: ['read'] });
  await ask('POST', '/clients', { ...admin, ...key }, { name: 'New', scopes: ['read'] });
  await ask('POST', '/clients', { ...admin, ...key }, { name: 'Other', scopes: ['read'] });
  secret('secret of a client made by API', made.body.data.client_secret);
  const rotated = await ask('POST', `/clients/${made.body.data.id}/rotate-secret`, admin);
  secret('secret after a rotation', rotated.body.data.client_secret);
  const apiKey = await ask('POST', `/clients/${made.body.data.id}/keys`, admin, { name: 'Key' });
  const used = { 'X-API-Key': secret('API key', apiKey.body.data.api_key) };
  await ask('GET', '/leads', used);
  await ask('POST', '/leads', used, {});
  await ask('POST', `/clients/${made.body.data.id}/keys/${apiKey.body.data.id}/revoke`, admin);
  await ask('GET', '/leads', used);
  const revoked = await tokenOf(first, 'revoked token');
  await ask('POST', '/auth/revoke', {}, { client_id, client_secret, token: revoked.Authorization?.slice(7) });
  await ask('GET', '/leads', revoked);
  return own;
}

/** Personal data in every place where the API accepts it. */
export async function usePeople({ ask, secret }: Journey, own: Headers): Promise<string> {
  const person = {
    name: secret('name'),
    email: `${secret('email')}@example.com`,
    phone: `+${secret('phone', String(randomInt(1e13, 1e14)))}`,
    company: secret('company'),
    metadata: { note: secret('metadata') },
  };
  const lead = await ask('POST', '/leads', own, person);
  const path = `/leads/${lead.body.data.id}`;
  await ask('POST', '/leads', own, person);
  await ask('POST', '/leads', own, { ...person, phone: secret('wrong phone') });
  await ask('POST', '/leads', own, { ...person, [secret('field')]: 1 });
  await ask('POST', '/leads', own, `{"name": "${secret('name in broken JSON')}`);
  await ask('PATCH', path, { ...own, 'If-Match': '"7"' }, { lost_reason: secret('reason') });
  await ask('POST', '/notes', own, { lead_id: lead.body.data.id, text: secret('note') });
  await ask('POST', '/content', own, { title: 'T', type: 'article', body: secret('body of content') });
  await ask('POST', '/leads', own, { name: 'B', email: `${randomUUID()}@example.com` });
  const query = new URLSearchParams({ search: secret('search'), email: person.email, sort: 'name' });
  await ask('GET', `/leads?${query}`, own);
  await ask('GET', `/leads?${secret('parameter')}=1`, own);
  const page = await ask('GET', '/leads?per_page=1&sort=-name', own);
  const cursor = secret('cursor', page.body.meta.next_cursor);
  await ask('GET', `/leads?per_page=1&sort=-name&cursor=${cursor}`, own);
  await ask('GET', `/leads?per_page=1&cursor=${cursor}`, own);
  await ask('GET', '/leads/export?format=csv', { ...own, Accept: 'text/csv' });
  const row = `${secret('imported name')},${secret('imported email')}@example.com\n`;
  await ask('POST', '/imports?resource=leads', own, `name,email\n${row}${secret('wrong row')},x\n`);
  await ask('POST', '/imports?resource=leads', own, `name,email\n"${secret('broken row')}`);
  await ask('GET', '/leads', { ...own, 'User-Agent': secret('agent'), Referer: secret('referer') });
  return path;
}

/** Webhooks and inbound hooks, with their secrets. */
export async function useHooks({ ask, secret }: Journey, own: Headers, receiver: Receiver): Promise<void> {
  const subscribed = await ask('POST', '/webhooks', own, {
    url: `${receiver.url}/${secret('path of a webhook')}`,
    event_types: ['*'],
  });
  secret('secret of a webhook', subscribed.body.data.secret);
  const webhook = `/webhooks/${subscribed.body.data.id}`;
  secret(
    'secret of a webhook after a rotation',
    (await ask('POST', `${webhook}/rotate-secret`, own)).body.data.secret,
  );
  await ask('POST', `${webhook}/test`, own);
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 10_000);
  const signature = receiver.received[0]?.headers['webhook-signature'] ?? '';
  for (const [number, one] of signature.split(' ').entries())
    secret(`signature ${number}`, one.slice('v1,'.length));

  const verification = {
    type: 'hmac_sha256',
    header: 'X-Signature',
    secret: secret('secret of an inbound hook'),
  };
  const hook = await ask('POST', '/inbound-hooks', own, { name: 'Form', verification });
  const token = secret('token of an inbound hook', hook.body.data.url.split('/').at(-1));
  const payload = JSON.stringify({
    name: secret('inbound name'),
    email: `${secret('inbound email')}@example.com`,
  });
  const hmac = createHmac('sha256', verification.secret).update(payload).digest('hex');
  const sign = (value: string) => ({ 'Content-Type': 'application/json', 'X-Signature': value });
  await ask('POST', `/hooks/${token}`, sign(secret('HMAC', hmac)), payload);
  await ask('POST', `/hooks/${token}`, sign(secret('wrong HMAC')), payload);
  await ask('POST', `/hooks/${secret('wrong token of a hook')}`, sign(hmac), payload);
  await ask('PATCH', `/inbound-hooks/${hook.body.data.id}`, own, {
    verification: { ...verification, type: secret('type') },
  });
}
