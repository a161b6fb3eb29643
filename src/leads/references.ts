import type { Principal } from '../auth/principal.ts';
import { covers } from '../auth/scopes.ts';
import { brokenConstraint } from '../db/errors.ts';
import { toId, toUuid } from '../db/id.ts';
import type { Db } from '../db/knex.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { lockActiveUser } from '../users/queries.ts';
import { findOtherLead } from './queries.ts';

/** What a client names by id: undefined where it says nothing, null where it clears. */
interface NamedReferences {
  assigned_user_id?: string | null;
  content_id?: string | null;
}

/** The uuids of what a lead refers to. Throws 422 for an assignee who is unknown or inactive. */
export async function resolveReferences(db: Db, named: NamedReferences): Promise<NamedReferences> {
  return {
    assigned_user_id:
      typeof named.assigned_user_id === 'string'
        ? await resolveAssignee(db, named.assigned_user_id)
        : named.assigned_user_id,
    content_id: typeof named.content_id === 'string' ? resolveContent(named.content_id) : named.content_id,
  };
}

async function resolveAssignee(db: Db, id: string): Promise<string> {
  const uuid = toUuid('user', id);
  if (uuid === undefined || !(await lockActiveUser(db, uuid))) {
    throw invalidField('assigned_user_id', 'must be the id of an active user');
  }
  return uuid;
}

function resolveContent(id: string): string {
  const uuid = toUuid('content', id);
  if (uuid === undefined) throw unknownContent();
  return uuid;
}

function unknownContent(): Problem {
  return invalidField('content_id', 'must be the id of existing content');
}

/** Tells a reference that the database refused as the 422 that it is; any other error comes back as it was. */
export function translateReference(error: unknown): unknown {
  return brokenConstraint(error) === 'leads_content_id_fkey' ? unknownContent() : error;
}

interface UniqueFields {
  id: string;
  email: string;
  external_id: string | null;
}

/** Which other lead has the email or external id; undefined when none has (any more). Tells its id to those who may read leads. */
export async function findDuplicate(
  db: Db,
  { id, email, external_id }: UniqueFields,
  principal: Principal,
): Promise<Problem | undefined> {
  const byEmail = await findOtherLead(db, id, { email });
  const byExternalId =
    byEmail === undefined && external_id !== null ? await findOtherLead(db, id, { external_id }) : undefined;
  const existing = byEmail ?? byExternalId;
  if (existing === undefined) return undefined;
  const [field, code] =
    byEmail === undefined
      ? (['external_id', 'duplicate_external_id'] as const)
      : (['email', 'duplicate_email'] as const);
  const message = 'is already that of another lead';
  const details = covers(principal.scopes, 'leads:read') ? { existing_id: toId('lead', existing) } : {};
  return new Problem(code, `${field}: ${message}`, {
    details: { errors: { [field]: [message] }, ...details },
  });
}
