import { schemas } from '../../generated/limits.ts';
import { operations } from '../../generated/operations.ts';
import { toActor } from '../events/event.ts';
import { type Failure, toFailure } from '../jobs/failure.ts';
import { mostFrequent } from '../jobs/failures.ts';
import type { Result, Schema } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { history } from '../resource/fields.ts';
import { covers, insufficientScope, requireEach } from '../scopes.ts';
import { toId, toNullableId } from '../values/id.ts';
import type { BulkJobErrorRow, BulkJobRow, JobCounts, JobResource, Progress } from './tables.ts';

/** Why a job failed, for the client. */
export const hopeless: Failure = {
  code: 'internal_error',
  message: 'The service failed five times to change the next rows. Create another job for the others later.',
};

export const noCounts: JobCounts = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  missing: 0,
  failed: 0,
};

export function toBulkJob(row: BulkJobRow): Schema<'BulkJob'> {
  const parts = row.resources.map((resource) => progressOf(resource, row.progress[resource]));
  return {
    id: toId('job', row.id),
    kind: row.kind,
    status: row.status,
    resources: row.resources,
    filter: row.filter,
    action: row.action,
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
export function accepted(row: BulkJobRow, baseUrl: string): Result<'createBulkJob'> {
  return {
    status: 202,
    headers: { Location: `${baseUrl}/bulk-jobs/${toId('job', row.id)}` },
    body: { data: toBulkJob(row) },
  };
}

type Access = 'read' | 'write';

/** Throws 403 without the scopes, which depend on what the job changes: the contract can't express that. */
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
  if (kind === 'seed') requireEach(principal, operations.seedSandbox.scopes);
  else if (kind === 'reassign') requireEach(principal, operations.reassignUser.scopes);
  else requireScopes(principal, resources, 'read', 'write');
}

/** The resources that the client may read. */
export function readableResources({ scopes }: Principal): JobResource[] {
  return schemas.BulkJobResource.enum.filter((resource) => covers(scopes, `${resource}:read`));
}

/** Throws 403 before the needed scope is known, so that nobody without any of them learns what exists. */
export function requireAnyScope(principal: Principal, access: Access): void {
  const anyOf = schemas.BulkJobResource.enum.map((resource) => `${resource}:${access}`);
  if (anyOf.some((scope) => covers(principal.scopes, scope))) return;
  throw insufficientScope(principal, `This needs the scope ${anyOf.join(' or ')}`, anyOf[0] as string);
}
