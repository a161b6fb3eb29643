/** Each column that could hold personal data says whether it does, and how it is erased. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as auditLog from '../../src/audit-log/tables.ts';
import * as auth from '../../src/auth/tables.ts';
import * as bulkJobs from '../../src/bulk-jobs/tables.ts';
import * as contacts from '../../src/contacts/tables.ts';
import * as content from '../../src/content/tables.ts';
import { ownedEmail } from '../../src/db/tables.ts';
import * as events from '../../src/events/tables.ts';
import * as idempotency from '../../src/http/idempotency/tables.ts';
import * as imports from '../../src/imports/tables.ts';
import * as hooks from '../../src/inbound-hooks/tables.ts';
import * as jobs from '../../src/jobs/tables.ts';
import * as salesCycles from '../../src/leads/sales-cycles/tables.ts';
import * as leads from '../../src/leads/tables.ts';
import * as merges from '../../src/merges/tables.ts';
import * as metadata from '../../src/metadata/tables.ts';
import * as notes from '../../src/notes/tables.ts';
import * as privacy from '../../src/privacy/tables.ts';
import * as users from '../../src/users/tables.ts';
import * as webhooks from '../../src/webhooks/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/embedded.ts';

/** Values of the metadata once more: a trigger keeps them, and so erases them too. */
const copies = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`indexed_${n + 1}`, undefined]));

/** The declared columns of each table. */
const declared: Record<string, object> = {
  api_clients: auth.client,
  api_keys: auth.apiKey,
  audit_log: auditLog.auditLogEntry,
  bulk_job_chunks: bulkJobs.chunk,
  contacts: { ...contacts.contact, ...copies },
  content: { ...content.content, ...copies },
  erasures: privacy.erasure,
  events: events.event,
  idempotency_keys: idempotency.idempotencyKey,
  import_chunks: imports.importChunk,
  import_rows: imports.importedRow,
  inbound_deliveries: { ...hooks.delivery, ...hooks.receivedData },
  inbound_hooks: hooks.hook,
  job_errors: jobs.jobError,
  jobs: jobs.job,
  lead_counter_changes: leads.leadCounter,
  lead_counters: leads.leadCounter,
  contact_emails: ownedEmail,
  lead_emails: ownedEmail,
  lead_status_changes: leads.statusChange,
  leads: { ...leads.lead, ...copies },
  metadata_fields: metadata.metadataField,
  merges: merges.merge,
  notes: notes.note,
  sales_cycles: salesCycles.salesCycle,
  revoked_tokens: auth.revokedToken,
  signing_keys: auth.signingKey,
  users: users.user,
  webhook_attempts: webhooks.attempt,
  webhook_deliveries: webhooks.delivery,
  webhooks: webhooks.webhook,
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('every column with text, JSON or bytes is declared, unless it is generated from others', async () => {
  const columns = await query(
    database.url,
    `select relname::text as table, attname::text as column from pg_class
     join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
       and not attisdropped and attgenerated = '' and relname !~ '^(knex_migrations|database_label)'
       and ltrim(format_type(atttypid, null), '_') ~ '^(text|character varying|json|jsonb|bytea)'
     order by 1, 2`,
  );
  expect(columns.length).toBeGreaterThan(100);
  const missing = columns.filter(({ table, column }) => !(column in (declared[table] ?? {})));
  expect(missing.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});
