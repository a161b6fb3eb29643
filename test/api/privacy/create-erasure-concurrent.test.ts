/** Erasures that meet other changes of the same person: each comes before or after the other, never in between. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { csv, errorsOf, readImport, send as sendFile } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { holdCommits } from '../../support/locks.ts';
import { contacts, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ waitsForLocks: true });
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const url = () => app.databases[0]?.url ?? '';
const keyed = () => client.with({ 'Idempotency-Key': randomUUID() });

async function erase(email: string, more: object = {}) {
  const { body } = await client.post('/erasures', { email, ...more }).expect(201);
  return body.data;
}

/** Erases the person while the COMMIT of the first change, which writes to the table, is held. Returns both results. */
async function eraseBeside<First>(
  { table, email, ...more }: { table: string; email: string; include_former?: boolean },
  change: () => PromiseLike<First>,
) {
  const commits = await holdCommits(url(), table);
  try {
    const changing = Promise.resolve(change());
    await commits.isHeld();
    const erasing = erase(email, more);
    await commits.isAwaited();
    await commits.release();
    return { first: await changing, erasure: await erasing };
  } finally {
    await commits.end();
  }
}

describe.each([
  ['leads', leads],
  ['contacts', contacts],
] as [string, TestResource<{ id: string; email: string }>][])(
  'an erasure beside a merge of %s',
  (name, resource) => {
    it('erases the one that stays too, if it came second', async () => {
      const { mark, fields } = someone();
      const stays = await make(client, resource, { email: uniqueEmail() });
      const twin = await make(client, resource, fields);
      const { erasure } = await eraseBeside({ table: 'merges', email: fields.email }, () =>
        keyed()
          .post(`${resource.path}/${stays.id}/merge`, { [`${resource.prefix}_id`]: twin.id })
          .expect(200),
      );
      expect(erasure.counts).toMatchObject({ leads: 0, contacts: 0, [name]: 1 });
      expect(await traces(app, mark)).toEqual([]);
      expect(await traces(app, fields.phone)).toEqual([]);
      await client.get(`${resource.path}/${stays.id}`).expect(404);
    });
  },
);

describe('an erasure beside a change of the address', () => {
  it('leaves the lead that has another one by then, and erases the address from its history', async () => {
    const { email } = someone().fields;
    const lead = await make(client, leads, { email });
    const next = uniqueEmail();
    const { erasure } = await eraseBeside({ table: 'leads', email }, () =>
      keyed().patch(`/leads/${lead.id}`, { email: next }).expect(200),
    );
    expect(erasure).toMatchObject({ former: [lead.id], counts: { leads: 0 } });
    expect((await client.get(`/leads/${lead.id}`).expect(200)).body.data.email).toBe(next);
    expect(await traces(app, email)).toEqual([]);
  });

  it('deletes that lead if asked', async () => {
    const { mark, fields } = someone();
    const lead = await make(client, leads, fields);
    const about = { table: 'leads', email: fields.email, include_former: true };
    const { erasure } = await eraseBeside(about, () =>
      keyed()
        .patch(`/leads/${lead.id}`, { email: `new-${mark}@example.com` })
        .expect(200),
    );
    expect(erasure).toMatchObject({ former: [], counts: { leads: 1 } });
    expect(await traces(app, mark)).toEqual([]);
  });

  it('erases a contact that gets the address meanwhile, although it had none', async () => {
    const { mark, fields } = someone();
    const lead = await make(client, leads, fields);
    const { erasure } = await eraseBeside({ table: 'contacts', email: fields.email }, () =>
      keyed().post(`/leads/${lead.id}/convert`).expect(201),
    );
    expect(erasure.counts).toMatchObject({ leads: 1, contacts: 1 });
    expect(await traces(app, mark)).toEqual([]);
  });
});

describe('an erasure beside the data of a hook', () => {
  it('erases either nothing of it or all of it', async () => {
    const { mark, fields } = someone();
    const hook = await makeHook(client);
    const lead = await make(client, leads, fields);
    const { erasure } = await eraseBeside({ table: 'inbound_deliveries', email: fields.email }, () =>
      sendIn(app, hook, { ...fields, note: mark }),
    );
    expect(erasure.counts).toMatchObject({ leads: 1, inbound_deliveries: 1 });
    await client.get(`/leads/${lead.id}`).expect(404);
    expect(await traces(app, mark)).toEqual([]);
  });
});

describe('an erasure beside an import', () => {
  const rowsOf = ({ mark, fields }: ReturnType<typeof someone>) =>
    csv('name,email,company', `Ada,${fields.email},Company ${mark}`, `Bob,${uniqueEmail()},`);

  it('erases the person whom a chunk has just brought', async () => {
    const person = someone();
    const { id } = await sendFile(client, rowsOf(person));
    const { erasure } = await eraseBeside({ table: 'import_rows', email: person.fields.email }, () =>
      runJobs(app.production),
    );
    expect(erasure.counts).toMatchObject({ leads: 1 });
    expect(await readImport(client, id)).toMatchObject({ counts: { created: 2, failed: 0 } });
    expect(await traces(app, person.mark)).toEqual([]);
  });

  it('lets no chunk bring the person back that is saved after it', async () => {
    const person = someone();
    const { id } = await sendFile(client, rowsOf(person));
    const commits = await holdCommits(url(), 'erasures');
    try {
      const erasing = erase(person.fields.email);
      await commits.isHeld();
      const running = runJobs(app.production);
      await commits.isAwaited();
      await commits.release();
      expect((await erasing).counts).toMatchObject({ leads: 0 });
      await running;
    } finally {
      await commits.end();
    }
    expect(await readImport(client, id)).toMatchObject({ counts: { created: 1, failed: 1 } });
    expect(await errorsOf(client, id)).toMatchObject([{ row: 2, code: 'payload_erased' }]);
    const found = await client.get(`/leads?email=${person.fields.email}`).expect(200);
    expect(found.body.data).toEqual([]);
  });
});

describe('an erasure that waits for a request that waits for it', () => {
  it('ends, and so does that request, before or after it', async () => {
    const { mark, fields } = someone();
    const lead = await make(client, leads, fields);
    const contact = await make(client, contacts, fields);
    const holder = new pg.Client({ connectionString: url() });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from contacts where lower(email) = lower($1) for update', [fields.email]);
    const waiting = async (count: number) => {
      const sql = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      while (((await holder.query(sql)).rowCount ?? 0) < count) await new Promise((go) => setTimeout(go, 20));
    };
    // The change locks the contact before the lead, the erasure the lead before the contact.
    const changing = client.patch(`/leads/${lead.id}`, { contact_id: contact.id }).then();
    await waiting(1);
    const erasing = erase(fields.email);
    await waiting(2);
    await holder.query('commit');
    // PostgreSQL ends one of the two, which is then repeated.
    expect([200, 404]).toContain((await changing).status);
    expect((await erasing).counts).toMatchObject({ leads: 1, contacts: 1 });
    await holder.end();
    expect(await traces(app, mark)).toEqual([]);
  });
});
