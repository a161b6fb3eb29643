import { decodeCursor, encodeCursor } from '../../http/lists/cursor.ts';
import { linkHeader } from '../../http/lists/links.ts';
import type { Input, OperationContext, Schema } from '../../operation.ts';
import { invalidCursor } from '../../problem.ts';
import { toId, toNullableId } from '../../values/id.ts';
import { type DuplicateRow, type Reason, reasons, scanDuplicates } from './queries.ts';

/** Queries per request. With more, a page that finds nothing would take too long. */
const MAX_SCANS = 5;

/** Before all keys, which are 64-bit integers. */
const FIRST_KEY = '-9223372036854775808';

interface Position {
  reason: Reason;
  after: string;
}

/**
 * Lists groups of likely duplicates: those with the same phone, then those with the same name and company, and so on. `toData`
 * says under which name a group shows its members.
 */
export function listDuplicates<Data>(
  kind: 'lead' | 'contact',
  toData: (group: { reason: Reason; total: number }, shown: Schema<'Duplicate'>[]) => Data,
) {
  const table = `${kind}s` as const;
  return async (
    { query }: Pick<Input<'listLeadDuplicates'>, 'query'>,
    { db, environment, url }: OperationContext,
  ) => {
    const { per_page: limit, cursor, reason } = query;
    const origin = `${environment} ${table} ${reason ?? ''}`;
    let position: Position | undefined =
      cursor === undefined ? { reason: reason ?? 'phone', after: FIRST_KEY } : parseCursor(cursor, origin);
    const data: Data[] = [];
    for (let scans = 0; position !== undefined && data.length < limit && scans < MAX_SCANS; scans += 1) {
      const at: Position = position;
      const { groups, next } = await scanDuplicates(db, table, at.reason, {
        after: at.after,
        limit: limit - data.length,
      });
      for (const { total, rows } of groups) {
        data.push(
          toData(
            { reason: at.reason, total },
            rows.map((row) => toShown(kind, row)),
          ),
        );
      }
      position = next === undefined ? nextReason(at.reason, reason) : { ...at, after: next };
    }
    const next_cursor =
      position === undefined ? null : encodeCursor([origin, position.reason, position.after]);
    const { cursor: _, ...shared } = query;
    const links = next_cursor === null ? {} : { next: { cursor: next_cursor } };
    return {
      status: 200 as const,
      headers: linkHeader(url, shared, links),
      body: { data, meta: { next_cursor, has_more: next_cursor !== null } },
    };
  };
}

function nextReason(current: Reason, only: Reason | undefined): Position | undefined {
  const reason = only === undefined ? reasons[reasons.indexOf(current) + 1] : undefined;
  return reason && { reason, after: FIRST_KEY };
}

function parseCursor(cursor: string, origin: string): Position {
  const [from, reason, after] = decodeCursor(cursor);
  const known = reasons.find((one) => one === reason);
  const isKey = typeof after === 'string' && /^-?\d{1,19}$/.test(after);
  if (
    from !== origin ||
    known === undefined ||
    !isKey ||
    BigInt.asIntN(64, BigInt(after)) !== BigInt(after)
  ) {
    throw invalidCursor(
      'cursor',
      'must be the next_cursor of an earlier answer for the same reason, unchanged',
    );
  }
  return { reason: known, after };
}

function toShown(kind: 'lead' | 'contact', row: DuplicateRow): Schema<'Duplicate'> {
  return {
    id: toId(kind, row.id),
    name: row.name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    assigned_user_id: toNullableId('user', row.assigned_user_id),
    created_at: row.created_at,
  };
}
