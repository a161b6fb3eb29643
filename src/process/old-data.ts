import type { Db } from '../db/db.ts';
import { deleteOldRows, type Kept } from '../db/old-rows.ts';
import { deleteExpiredEvents } from '../events/retention.ts';
import { ANSWERS_KEPT } from '../http/idempotency/queries.ts';
import { USAGE_KEPT } from '../http/idempotency/usage-queries.ts';
import { deleteOldChunks } from '../imports/housekeeping-queries.ts';
import { deleteOldJobs } from '../jobs/old-jobs-queries.ts';
import { HOUR, MINUTE } from '../values/time.ts';
import { deleteExpiredSecrets } from '../webhooks/queries.ts';

/** Rows deleted per batch. Small enough that a batch takes a fraction of a second and blocks nobody. */
export const BATCH_SIZE = 1_000;
/** Events deleted per batch. A log of ten million loses 110,000 a day; a batch takes 25 ms. */
const EVENT_BATCH_SIZE = 5_000;
/** Rows deleted per batch where a row may be one megabyte. */
export const PAYLOAD_BATCH_SIZE = 50;
/** Jobs deleted per batch, each with up to 200,000 errors and warnings. */
const JOB_BATCH_SIZE = 5;

/** Rows that are deleted when they are old. */
interface OldData {
  /** For metrics and the log. */
  kind: string;
  /** Logged when a deletion fails. */
  failure: string;
  /** Deletes up to `limit` rows that had expired at `now`. Returns the number deleted. */
  deleteOld(db: Db, now: Date, limit: number): Promise<number>;
  limit: number;
  /** Milliseconds. */
  interval: number;
}

function old(kind: string, plural: string, deleteOld: OldData['deleteOld'], limit = BATCH_SIZE): OldData {
  return { kind, failure: `${plural} could not be deleted.`, deleteOld, limit, interval: HOUR };
}

/** Rows for which only their age counts. */
function oldRows(table: string, plural: string, kept: Omit<Kept, 'table'>, limit = BATCH_SIZE): OldData {
  return old(table, plural, (db, now, size) => deleteOldRows(db, { table, ...kept }, now, size), limit);
}

/** Everything that is deleted by age. */
export const oldData: readonly OldData[] = [
  oldRows('idempotency_keys', 'Expired idempotency keys', { column: 'created_at', period: ANSWERS_KEPT }),
  oldRows('idempotency_usage', 'Counts of expired responses', { column: 'hour', period: USAGE_KEPT }),
  // Tokens expire by the servers' clocks, which may be behind PostgreSQL's.
  oldRows('revoked_tokens', 'Expired revocations', { column: 'expires_at', period: '1 day' }),
  oldRows('audit_log', 'Old audit log entries', { column: 'created_at', period: '365 days' }),
  oldRows('erasures', 'Old erasures', { column: 'created_at', period: '3 years' }),
  oldRows('webhook_deliveries', 'Old deliveries', { column: 'id', period: '30 days' }),
  oldRows(
    'inbound_deliveries',
    'Old inbound deliveries',
    { column: 'id', period: '30 days' },
    PAYLOAD_BATCH_SIZE,
  ),
  old('webhook_secrets', 'Expired webhook secrets', deleteExpiredSecrets, Number.POSITIVE_INFINITY),
  old('import_rows', 'Rows of finished imports', deleteOldChunks, PAYLOAD_BATCH_SIZE),
  old('events', 'Old events', deleteExpiredEvents, EVENT_BATCH_SIZE),
  // Clients can create hundreds of them a minute.
  { ...old('jobs', 'Old jobs', deleteOldJobs, JOB_BATCH_SIZE), interval: MINUTE },
];
