/** The listener relies on this: PostgreSQL sends a session its notifications before its next result. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const ROUNDS = 300;
/** Sessions that notify concurrently, so that they wait for each other. */
const NOTIFIERS = 8;

let listening: pg.Client;
let notifying: pg.Client[];

beforeAll(async () => {
  const clients = Array.from(
    { length: 1 + NOTIFIERS },
    () => new pg.Client({ connectionString: inject('serverUrl') }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  [listening, ...notifying] = clients as [pg.Client, ...pg.Client[]];
  await listening.query('listen relied_on');
});

afterAll(() => Promise.all([listening, ...notifying].map((client) => client.end())));

it('a listening session receives all notifications committed before its query, then the result', async () => {
  const heard = new Set<string>();
  listening.on('notification', ({ payload }) => heard.add(payload ?? ''));
  const missed: string[] = [];
  await Promise.all(
    notifying.map(async (client, number) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = `${number}.${round}`;
        await client.query(`notify relied_on, '${name}'`);
        await listening.query('select 1');
        if (!heard.has(name)) missed.push(name);
      }
    }),
  );
  expect(missed).toEqual([]);
  expect(heard.size).toBe(ROUNDS * NOTIFIERS);
});
