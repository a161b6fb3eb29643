import { schemas } from '../../generated/limits.ts';
import { operations } from '../../generated/operations.ts';
import { toActor } from '../events/event.ts';
import { accepted } from '../http/responses.ts';
import { toFailure } from '../jobs/failure.ts';
import { mostFrequent } from '../jobs/failures.ts';
import type { Result, Schema } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { history } from '../resource/fields.ts';
import { covers, requireAny, requireEach } from '../scopes.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { BulkJobErrorRow, BulkJobRow, JobCounts, JobResource, Progress } from './tables.ts';

export const noCounts: JobCounts = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  missing: 0,
  failed: 0,
};

export function toBulkJob(row: BulkJobRow): Schema<'BulkJob'> {
  const parts = row.resources.map((resource) => progressOf(resource, row.counts[resource]));
  return {
    id: toId('job', row.id),
    kind: row.kind,
    status: row.status,
    resources: row.resources,
    filter: row.options.filter,
    action: row.options.action,
    redacted: row.options.redacted,
    dry_run: row.dry_run,
    rows_total: row.rows_total,
    rows_done: row.rows_done,
    counts: parts.reduce((sum, { counts }) => addCounts(sum, counts), noCounts),
    progress: parts,
    failures: mostFrequent(row.failures),
    actor: toActor(row),
    started_at: row.started_at,
    finished_at: row.finished_at,
    failure: toFailure(row),
    ...history(row),
  };
}

function progressOf(
  resource: JobResource,
  { total, done, counts }: Progress = { total: 0, done: 0, counts: noCounts },
): Schema<'BulkJobProgress'> {
  return { resource, rows_total: total, rows_done: done, counts };
}

export function addCounts(one: JobCounts, other: JobCounts): JobCounts {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    deleted: one.deleted + other.deleted,
    unchanged: one.unchanged + other.unchanged,
    missing: one.missing + other.missing,
    failed: one.failed + other.failed,
  };
}

const prefixes = { leads: 'lead', contacts: 'contact', content: 'content', users: 'user' } as const;

export function toBulkJobError(error: BulkJobErrorRow): Schema<'BulkJobError'> {
  const { row, resource, resource_id, field, code, message } = error;
  return { row, resource, resource_id: toNullableId(prefixes[resource], resource_id), field, code, message };
}

/** 202 with a new job. */
export function acceptedJob(row: BulkJobRow, baseUrl: string): Result<'createBulkJob'> {
  const data = toBulkJob(row);
  return accepted(data, `${baseUrl}/bulk-jobs/${data.id}`);
}

type Access = 'read' | 'write';

/** Throws 403 without the scopes for what the job changes. The contract names the alternatives. */
export function requireScopes(
  principal: Principal,
  resources: readonly JobResource[],
  ...accesses: Access[]
): void {
  requireEach(
    principal,
    resources.flatMap((resource) => accesses.map((access) => `${resource}:${access}`)),
  );
}

/** The same for a job that exists, before each of its steps. */
export function requireScopesOf(principal: Principal, { kind, resources }: BulkJobRow): void {
  if (kind === 'seed') requireAny(principal, operations.seedSandbox.scopes);
  else if (kind === 'declare') requireAny(principal, operations.createMetadataField.scopes);
  else if (kind === 'reassign') requireAny(principal, operations.reassignUser.scopes);
  else requireScopes(principal, resources, 'read', 'write');
}

/** Throws 403 unless the client may read what the job changes. */
export function requireToRead({ resources }: BulkJobRow, { principal }: { principal: Principal }): void {
  requireScopes(principal, resources, 'read');
}

/** The resources that the client may read. */
export function readableResources({ scopes }: Principal): JobResource[] {
  return schemas.BulkJobResource.enum.filter((resource) => covers(scopes, `${resource}:read`));
}
