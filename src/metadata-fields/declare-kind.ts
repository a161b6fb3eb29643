import type { Actor } from '../actor.ts';
import { addCounts, noCounts, requireScopesOf } from '../bulk-jobs/job.ts';
import { bulkJobs } from '../bulk-jobs/queries.ts';
import { writerOf } from '../bulk-jobs/run/bulk-job-kind.ts';
import { updateRows } from '../bulk-jobs/run/change-rows.ts';
import type { BulkJobRow, JobCounts } from '../bulk-jobs/tables.ts';
import { FIRST, lockField, takeBack } from '../bulk-jobs/take-back.ts';
import { contactRules } from '../contacts/contact-rules.ts';
import { contentImportRules } from '../content/content-rules.ts';
import type { Db } from '../db/db.ts';
import { updateRow } from '../db/resource.ts';
import { countFailures } from '../jobs/failures.ts';
import { insertErrors, type NewJobError } from '../jobs/queries.ts';
import type { Done, Kind } from '../jobs/run-step.ts';
import { collectStatistics } from '../jobs/statistics-queries.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { metadataFields, waitForWriters } from '../metadata/queries.ts';
import type { MetadataFieldRow } from '../metadata/tables.ts';
import type { Rules, Types } from '../resource/rules.ts';
import { expected, valueOfText } from '../values/metadata-value.ts';
import { convertTexts, readTexts, type StoredText } from './declare-queries.ts';

/** Maximum errors kept of a job. */
const MAX_KEPT = 10_000;

/**
 * The steps of a job. After `wait`, all who write know the field, so new values fit. After `check`, so do all stored ones,
 * and `convert` gives them their JSON type.
 */
interface State {
  step?: 'wait' | 'check' | 'convert';
  /** The last row of the step (UUID). */
  after?: string;
}

/** Conversions of the stored values of a declared key. */
export const declareKind: Kind<BulkJobRow> = {
  resource: bulkJobs,
  requireScopes: requireScopesOf,
  async runChunk(trx, job, { actor }) {
    const field = await lockField(trx, job);
    if (field === undefined) {
      return { failure: { code: 'not_found', message: 'The declaration of the key was deleted.' } };
    }
    const { step = 'wait', after = FIRST } = job.state as State;
    if (step === 'check') return check(trx, job, field, after, actor);
    if (step === 'convert') return convert(trx, field, after);
    await waitForWriters(trx);
    return stepTo(field.is_typed ? 'convert' : 'check');
  },
  cleanUp: takeBack,
  async afterChunk(db, _before, { status, resources: [resource] }) {
    if (status === 'completed' && resource !== undefined) await collectStatistics(db, resource);
  },
};

function stepTo(step: State['step'], changes: object = {}): Done<BulkJobRow> {
  return { changes: { ...changes, state: { step } }, isLast: false };
}

async function check(
  trx: Db,
  job: BulkJobRow,
  field: MetadataFieldRow,
  after: string,
  actor: Actor,
): Promise<Done<BulkJobRow>> {
  const { rows, upto, isLast, texts } = await readTexts(trx, field, after);
  const unfit = texts.filter(({ text }) => valueOfText(field, text) === undefined);
  const isCleared = job.options.action.declare?.unfit === 'clear';
  const failed = isCleared ? [] : unfit;
  if (isCleared) await clear(trx, job, field, unfit, actor);
  const errors = failed.map(({ id, place }) => errorOf(field, id, job.rows_done + place));
  const kept = errors.slice(0, Math.max(0, MAX_KEPT - job.errors_kept));
  await insertErrors(trx, job.id, kept);
  const counts = {
    updated: unfit.length - failed.length,
    failed: failed.length,
    unchanged: rows - unfit.length,
  };
  const failures = countFailures(
    job.failures,
    errors.map((error) => [error]),
  );
  const changes = {
    ...progress(job, field, rows, counts),
    failures,
    errors_kept: job.errors_kept + kept.length,
  };
  if (!isLast) return { changes: { ...changes, state: { step: 'check', after: upto } }, isLast: false };
  if (Object.keys(failures).length > 0) return unfitValues(field);
  // The values that are written from now on have their JSON type.
  await waitForWriters(trx);
  await updateRow(trx, metadataFields, field.id, { is_typed: true });
  return stepTo('convert', changes);
}

function unfitValues({ key }: MetadataFieldRow): Done<BulkJobRow> {
  const message = `Stored values of ${key} don't fit the type; the job's errors list them. The key is still a text.`;
  return { failure: { code: 'unfit_values', message } };
}

function errorOf(field: MetadataFieldRow, id: string, row: number): NewJobError {
  return {
    row,
    severity: 'error',
    resource: field.resource,
    resource_id: id,
    field: `metadata.${field.key}`,
    code: 'validation_failed',
    message: `metadata.${field.key} ${expected(field)}.`,
  };
}

const rulesOf: Record<MetadataFieldRow['resource'], unknown> = {
  leads: leadRules,
  contacts: contactRules,
  content: contentImportRules,
};

/** Removes the values, with an event for each. */
async function clear(
  db: Db,
  job: BulkJobRow,
  { resource, key }: MetadataFieldRow,
  unfit: readonly StoredText[],
  actor: Actor,
): Promise<void> {
  if (unfit.length === 0) return;
  const rules = rulesOf[resource] as Rules<Types>;
  await updateRows(
    rules,
    unfit.map(({ id }) => id),
    { metadata: { [key]: null } },
    writerOf(job, actor, db),
  );
}

function progress(
  job: BulkJobRow,
  { resource }: MetadataFieldRow,
  rows: number,
  more: Pick<JobCounts, 'updated' | 'failed' | 'unchanged'>,
) {
  const { total = 0, done = 0, counts = noCounts } = job.counts[resource] ?? {};
  const sum = addCounts(counts, { ...noCounts, ...more });
  return {
    rows_done: job.rows_done + rows,
    rows_total: Math.max(job.rows_total, job.rows_done + rows),
    counts: {
      ...job.counts,
      [resource]: { total: Math.max(total, done + rows), done: done + rows, counts: sum },
    },
  };
}

async function convert(trx: Db, field: MetadataFieldRow, after: string): Promise<Done<BulkJobRow>> {
  const { upto, isLast } = await convertTexts(trx, field, after);
  if (!isLast) return { changes: { state: { step: 'convert', after: upto } as object }, isLast };
  await updateRow(trx, metadataFields, field.id, { status: 'active' });
  return { changes: {}, isLast };
}
