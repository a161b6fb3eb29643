import { deleteOldAuditLogEntries } from '../audit-log/queries.ts';
import { deleteExpiredRevocations } from '../auth/queries.ts';
import { deleteOldJobs } from '../bulk-jobs/queries.ts';
import type { Db } from '../db/db.ts';
import { deleteExpiredEvents } from '../events/retention.ts';
import { deleteExpiredKeys } from '../http/idempotency/queries.ts';
import { deleteOldUsage } from '../http/idempotency/usage-queries.ts';
import { deleteOldChunks, deleteOldImports } from '../imports/housekeeping-queries.ts';
import { deleteOldInboundDeliveries } from '../inbound-hooks/queries.ts';
import { deleteOldErasures } from '../people/queries.ts';
import { HOUR, MINUTE } from '../values/time.ts';
import { deleteExpiredSecrets, deleteOldDeliveries } from '../webhooks/queries.ts';
import { deleteOldReplays } from '../webhooks/replay-queries.ts';

/** Rows deleted per batch. Small enough that a batch takes a fraction of a second and blocks nobody. */
export const BATCH_SIZE = 1_000;
/** Events deleted per batch. A log of ten million loses 110,000 a day; a batch takes 25 ms. */
const EVENT_BATCH_SIZE = 5_000;
/** Rows deleted per batch where a row may be one megabyte. */
export const PAYLOAD_BATCH_SIZE = 50;
/** Imports or bulk jobs deleted per batch, each with up to 100,000 errors. */
const IMPORT_BATCH_SIZE = 5;

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

/** Everything that is deleted by age. */
export const oldData: readonly OldData[] = [
  old('idempotency_keys', 'Expired idempotency keys', deleteExpiredKeys),
  // Deletes all of them at a time.
  old('idempotency_usage', 'Counts of expired responses', deleteOldUsage, Number.POSITIVE_INFINITY),
  old('revoked_tokens', 'Expired revocations', deleteExpiredRevocations),
  old('audit_log', 'Old audit log entries', deleteOldAuditLogEntries),
  old('erasures', 'Old erasures', deleteOldErasures),
  old('webhook_secrets', 'Expired webhook secrets', deleteExpiredSecrets, Number.POSITIVE_INFINITY),
  old('webhook_deliveries', 'Old deliveries', deleteOldDeliveries),
  old('inbound_deliveries', 'Old inbound deliveries', deleteOldInboundDeliveries, PAYLOAD_BATCH_SIZE),
  old('import_rows', 'Rows of finished imports', deleteOldChunks, PAYLOAD_BATCH_SIZE),
  old('events', 'Old events', deleteExpiredEvents, EVENT_BATCH_SIZE),
  // Clients can create hundreds of the following a minute.
  { ...old('webhook_replays', 'Old replays', deleteOldReplays), interval: MINUTE },
  { ...old('imports', 'Old imports', deleteOldImports, IMPORT_BATCH_SIZE), interval: MINUTE },
  { ...old('bulk_jobs', 'Old bulk jobs', deleteOldJobs, IMPORT_BATCH_SIZE), interval: MINUTE },
];
