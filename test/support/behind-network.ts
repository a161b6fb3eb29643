/** A service whose database lies behind a network that can swallow what it carries. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { registerClient } from '../../src/clients/operator.ts';
import { startReceiver, until } from './deliveries.ts';
import { uniqueEmail } from './factories.ts';
import { type Network, startNetwork } from './network.ts';
import {
  asOperator,
  call,
  cleanUp,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
  unlimited,
} from './process.ts';

export interface BehindNetwork {
  network: Network;
  server: RunningServer;
  token: string;
  /** A webhook hears of a lead, and a client disabled elsewhere is refused within a second. */
  expectBackground(): Promise<void>;
  close(): Promise<void>;
}

export async function startBehindNetwork(): Promise<BehindNetwork> {
  const { env, credentials } = await externalDatabases();
  const network = await startNetwork(inject('serverUrl'));
  const receiver = await startReceiver();
  const server = await startServer({
    ...env,
    ...unlimited,
    DATABASE_URL: network.through(env.DATABASE_URL),
    SANDBOX_DATABASE_URL: network.through(env.SANDBOX_DATABASE_URL),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const api = `${server.url}/v1`;
  const token = await getToken(api, credentials);
  const create = async (path: string, body: object) => {
    const answer = await call(token, 'POST', api + path, body);
    expect(answer.status).toBe(201);
    return answer.body.data as { id: string };
  };
  await create('/webhooks', { url: receiver.url, event_types: ['lead.created'] });
  return {
    network,
    server,
    token,
    async expectBackground() {
      const { id } = await create('/leads', { name: 'Ada', email: uniqueEmail() });
      await until(() => receiver.received.some(({ event }) => event.data.object.id === id), 5);
      const client = await asOperator(env.DATABASE_URL, (place) =>
        registerClient(place, { name: 'Other', scopes: ['read'] }),
      );
      const other = await getToken(api, client);
      const ask = async () => (await call(other, 'GET', `${api}/auth/me`)).status;
      expect([await ask(), await ask()]).toEqual([200, 200]);
      const db = new pg.Client({ connectionString: env.DATABASE_URL });
      await db.connect();
      await db.query(`update api_clients set disabled_at = now() where name = 'Other'`);
      await db.end();
      await sleep(1_000);
      expect(await ask()).toBe(401);
    },
    async close() {
      await cleanUp();
      await receiver.close();
      await network.close();
    },
  };
}
