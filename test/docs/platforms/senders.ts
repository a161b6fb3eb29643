/** What each platform sends, in the shape that it documents. All people are made up. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Sent {
  type: string;
  body: string;
  headers: Record<string, string>;
}

export interface Recipe {
  /** The heading in the chapter. */
  section: string;
  /** `url` is that of the hook. */
  send(url: string): Sent;
  lead: object;
  /** The text of the note about the lead. */
  note?: string;
}

const JSON_TYPE = 'application/json';
export const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);
const read = (name: string) => readFileSync(join(import.meta.dirname, '../../cases', name), 'utf8');

export function json(
  payload: object | string,
  sign: (body: string) => Record<string, string> = () => ({}),
): Sent {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { type: JSON_TYPE, body, headers: sign(body) };
}

/** A Google Ads lead. The case has another key than the chapter. */
export const googleAds = (name: string, key: string) => json(read(name).replace('secret-key-1', key));

export const meta = (payload: object) =>
  json(payload, (body) => ({
    'X-Hub-Signature-256': `sha256=${hmac('the-app-secret-of-your-app', body).digest('hex')}`,
  }));

export const linkedIn = (payload: object) =>
  json(payload, (body) => ({
    'X-LI-Signature': hmac('the-client-secret-of-your-app', `hmacsha256=${body}`).digest('hex'),
  }));

export const typeform = (payload: object | string) =>
  json(payload, (body) => ({
    'Typeform-Signature': `sha256=${hmac('a-secret-of-yours', body).digest('base64')}`,
  }));

export const calendly = (event: string, payload: object) =>
  json(
    {
      event,
      created_at: '2026-11-20T09:30:00.000000Z',
      created_by: 'https://api.calendly.com/users/U1',
      payload,
    },
    (body) => {
      const t = Math.floor(Date.now() / 1000);
      const v1 = hmac('a-signing-key-of-yours', `${t}.${body}`).digest('hex');
      return { 'Calendly-Webhook-Signature': `t=${t},v1=${v1}` };
    },
  );
