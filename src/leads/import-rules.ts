import type { Schema } from '../operation.ts';
import type { Rules } from '../resource/rules.ts';
import { leadRules } from './lead-rules.ts';
import { hasPast, historyColumns, latestStatus, type PastTimes, pastTimes } from './past-times.ts';
import type { ResolveReferences } from './references.ts';
import type { LeadRow } from './tables.ts';

interface ImportedLeadTypes {
  kind: 'lead';
  row: LeadRow;
  new: Schema<'CreateLead'> & PastTimes;
  patch: Schema<'UpdateLead'> & PastTimes;
  references: ResolveReferences;
}

/** The rules of imports, which can also set times in the past: of new leads only, since later imports never rewrite history. */
export const leadImportRules: Rules<ImportedLeadTypes> = {
  ...leadRules,
  checkNew(checkBody, fields) {
    const { times, others } = split(fields as PastTimes & { status?: unknown });
    return { ...leadRules.checkNew(checkBody, withLatestStatus(others, times)), ...times };
  },
  toRow(fields, references) {
    const { times, others } = split(fields);
    const row = leadRules.toRow(others, references);
    return hasPast(times) ? { ...row, ...historyColumns(times, new Date().toISOString()) } : row;
  },
  patch: (before, fields, references) => leadRules.patch(before, split(fields).others, references),
  merge: (before, fields, references) => leadRules.merge(before, split(fields).others, references),
};

/** The fields with a status: without one, it is the status that the lead reached last. */
export function withLatestStatus(fields: { status?: unknown }, times: PastTimes): object {
  const { status = latestStatus(times), ...others } = fields;
  return status === undefined ? others : { ...others, status };
}

function split<Fields extends PastTimes>(
  fields: Fields,
): { times: PastTimes; others: Omit<Fields, keyof PastTimes> } {
  const others: Partial<Fields> = { ...fields };
  const times: PastTimes = {};
  for (const field of pastTimes) {
    if (fields[field] !== undefined) times[field] = fields[field];
    delete others[field];
  }
  return { times, others: others as Omit<Fields, keyof PastTimes> };
}
