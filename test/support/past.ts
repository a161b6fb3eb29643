/** Leads that are imported with the times of their past. */
import type { Knex } from 'knex';
import type { components } from '../../generated/api.ts';
import { toUuid } from '../../src/values/id.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { csv } from './imports.ts';

export type Lead = components['schemas']['Lead'];

const DAY = 86_400_000;

/** Midnight (UTC) of this many days ago, and hours after it. */
export const ago = (days: number, hours = 0) =>
  new Date(Math.floor(Date.now() / DAY) * DAY - days * DAY + hours * 3_600_000).toISOString();

export const dayOf = (days: number) => ago(days).slice(0, 10);

const header =
  'name,email,status,source,value.amount,value.currency,created_at,first_contacted_at,first_qualified_at,first_won_at,first_lost_at,status_changed_at';

/** Five leads that were created 100 to 91 days ago. */
export const past = csv(
  header,
  `Won,won@example.com,won,website,1000,EUR,${ago(100)},${ago(99)},${ago(97)},${ago(90)},,`,
  `Lost,lost@example.com,lost,website,50,EUR,${ago(98)},${ago(98, 12)},,,${ago(95)},`,
  `Open,open@example.com,qualified,referral,700,EUR,${ago(96)},${ago(94)},${ago(92)},,,`,
  `New,new@example.com,new,manual,,,${ago(91)},,,,,`,
  `Again,again@example.com,contacted,manual,,,${ago(100)},${ago(99)},${ago(98)},,${ago(97)},${ago(93)}`,
);

export interface Past {
  app: TestApp;
  db: Knex;
  client: TestClient;
  /** With the scope that times of the past need. */
  admin: TestClient;
  leadOf(email: string): Promise<Lead>;
  /** The lead's status changes, oldest first: from, to, when, seconds in the previous status. */
  historyOf(email: string): Promise<unknown[][]>;
  reportOf(path: string): Promise<unknown>;
}

export async function startPast(): Promise<Past> {
  const app = await startTestApp();
  const db = app.production.knex;
  const client = await app.client();
  const admin = await app.client(['read', 'write', 'admin']);

  async function leadOf(email: string): Promise<Lead> {
    const { body } = await client.get(`/leads?email=${email}`).expect(200);
    return body.data[0];
  }

  async function historyOf(email: string) {
    const { id } = await leadOf(email);
    const changes = db('lead_status_changes').where({ lead_id: toUuid('lead', id) });
    const rows = await changes.orderBy('changed_at');
    return rows.map(({ from_status, to_status, changed_at, seconds }) => [
      from_status,
      to_status,
      changed_at,
      seconds,
    ]);
  }

  async function reportOf(path: string): Promise<unknown> {
    const { body } = await client.get(`/analytics/${path}`).expect(200);
    return body.data;
  }

  return { app, db, client, admin, leadOf, historyOf, reportOf };
}
