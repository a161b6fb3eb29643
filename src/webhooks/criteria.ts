import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/db.ts';
import { checkRanges } from '../http/lists/pagination.ts';
import { conditionsOfLeads } from '../leads/conditions.ts';
import { findDeclared } from '../metadata/queries.ts';
import type { Schema } from '../operation.ts';
import { fieldsOf } from '../problem.ts';
import { distinct } from '../resource/fields.ts';
import { type IdPrefix, toId, toUuid } from '../values/id.ts';
import { inLowerCase } from './criteria-queries.ts';
import { foldedTexts, type LeadEventFilter, toPath, type Wording } from './lead-filter.ts';
import type { WebhookRow } from './tables.ts';

type Criteria = Pick<Schema<'UpdateWebhook'>, 'filter' | 'changed' | 'exclude_own' | 'exclude_actor_ids'>;

/** The columns that say which events a webhook wants. Throws 422 for a filter that can't match. */
export async function criteriaColumns(
  db: Db,
  { filter, changed, exclude_own, exclude_actor_ids: actors }: Criteria,
  before: Pick<WebhookRow, 'filter'> = { filter: null },
): Promise<Partial<WebhookRow>> {
  return {
    // PostgreSQL writes a path in its own way, so the same one would look like a change.
    ...(filter !== undefined &&
      !isDeepStrictEqual(filter, before.filter) && {
        filter,
        filter_path: filter && (await pathOf(db, filter)),
      }),
    ...(changed !== undefined && { changed: changed && [...new Set(changed)] }),
    ...(exclude_own !== undefined && { exclude_own }),
    ...(actors !== undefined && { exclude_actors: distinct(actors?.map(toStoredActor)) ?? [] }),
  };
}

async function pathOf(db: Db, filter: LeadEventFilter): Promise<string> {
  return fieldsOf('filter', async () => {
    checkRanges(filter);
    conditionsOfLeads(filter);
    return toPath(filter, await wordingFor(db, filter));
  });
}

/** How the texts and the metadata of this filter are written in a path. Throws 400 for metadata that no lead can have. */
export async function wordingFor(db: Db, filter: LeadEventFilter): Promise<Wording> {
  const texts = foldedTexts(filter);
  const lower = texts.length === 0 ? [] : await inLowerCase(db, texts);
  const declared = filter.metadata === undefined ? new Map() : await findDeclared(db, 'leads');
  return { lower: (text) => lower[texts.indexOf(text)] ?? text, declared };
}

/** `client` or `hook`, and the UUID. The contract lets no other id pass. */
function toStoredActor(id: string): string {
  const [type = ''] = id.split('_');
  return `${type} ${toUuid(type as IdPrefix, id)}`;
}

export function toActorId(stored: string): string {
  const [type = '', uuid = ''] = stored.split(' ');
  return toId(type as IdPrefix, uuid);
}
