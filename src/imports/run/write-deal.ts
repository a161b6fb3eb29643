import { lockRow } from '../../db/resource.ts';
import { leadImportRules } from '../../leads/import-rules.ts';
import { leads } from '../../leads/queries.ts';
import { isClosed, type LeadRow, type LeadStatus } from '../../leads/tables.ts';
import type { Schema } from '../../operation.ts';
import { invalidFields, Problem } from '../../problem.ts';
import { upsertMany } from '../../resource/many.ts';
import { checkPast } from '../../resource/past.ts';
import type { Writer } from '../../resource/rules.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { addDeal } from '../../sales-cycles/add-deal.ts';
import type { ImportOptions } from '../tables.ts';
import type { Checks } from './check-bodies.ts';

/** A valid row about a person and a deal. */
export type DealItem = Schema<'UpdateLead'> & { deal_id: string; created_at?: string; closed_at?: string };

/**
 * Writes a row about a person and a deal: the lead, and the deal as one of its sales cycles. A person whom the file has twice is
 * no duplicate, but a deal is.
 */
export async function writeDeal(
  item: DealItem,
  { match, on_duplicate }: Pick<ImportOptions, 'match' | 'on_duplicate'>,
  context: Writer & Checks,
): Promise<Outcome<LeadRow>> {
  try {
    return await context.db.transaction(async (db) => {
      const writer = { ...context, db };
      const { deal_id, closed_at, created_at, status = 'new', ...fields } = item;
      const { value, lost_reason, expected_close_on, ...person } = fields;
      const [written] = await upsertMany(
        leadImportRules,
        [{ ...person, ...(created_at && { created_at }) }],
        { match: match as 'email', onDuplicate: on_duplicate === 'update' ? 'update' : 'ignore' },
        writer,
      );
      if (written === undefined || written.status === 'failed') throw written?.error;
      const lead = (await lockRow(db, leads, written.row.id, 'no key update')) as LeadRow;
      const dates = { opened_at: created_at, closed_at: closingTime(status, closed_at, expected_close_on) };
      checkDates(dates);
      const deal = { external_id: deal_id, fields: { ...fields, status, ...keptBy(person) }, ...dates };
      const resolve = await leadImportRules.lockReferences(db, [person], context.assignable);
      const added = await addDeal(lead, deal, { isUpdate: on_duplicate === 'update', resolve, writer });
      const isNew = written.status === 'created';
      const isChanged = isNew || written.status === 'updated' || added.isChanged;
      return { status: isNew ? 'created' : isChanged ? 'updated' : 'unchanged', row: added.lead };
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: 'failed', error };
  }
}

/** What a sales cycle keeps. The person's name, email and so on have been written. */
function keptBy({
  source,
  source_detail,
  company,
  tags,
  assigned_user_id,
  content_id,
}: Schema<'UpdateLead'>) {
  const kept = { source, source_detail, company, tags, assigned_user_id, content_id };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

/** Products call the same column the expected and the real closing date. Noon in UTC is that day nearly everywhere. */
function closingTime(
  status: LeadStatus,
  closed_at: string | undefined,
  expected: string | null | undefined,
): string | undefined {
  if (!isClosed(status)) return undefined;
  if (closed_at !== undefined || !expected) return closed_at;
  const now = new Date().toISOString();
  const noon = `${expected}T12:00:00.000Z`;
  return expected > now.slice(0, 10) ? undefined : noon < now ? noon : now;
}

function checkDates(dates: { opened_at: string | undefined; closed_at: string | undefined }): void {
  const { opened_at, closed_at } = dates;
  checkPast(
    'deal',
    { created_at: opened_at, closed_at },
    { created_at: 'created', closed_at: 'closed' },
    new Date().toISOString(),
  );
  if (opened_at !== undefined && closed_at !== undefined && closed_at < opened_at) {
    throw invalidFields({ closed_at: ["A deal can't be closed before it was created."] });
  }
}
