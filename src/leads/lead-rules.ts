import type { Schema } from '../operation.ts';
import { insertOrThrow } from '../resource/rows.ts';
import type { SingleRules } from '../resource/rules.ts';
import { toLead } from './lead.ts';
import { findLeads, insertLeads, updateLeads } from './many-queries.ts';
import { leadInsertion, leads } from './queries.ts';
import { lockContactsOf, lockReferences, type ResolveReferences } from './references.ts';
import { recordCorrections } from './sales-cycles/record-corrections.ts';
import type { LeadRow } from './tables.ts';
import { changeLead, mergedLead, newLead, patchedLead } from './write-lead.ts';

interface LeadTypes {
  kind: 'lead';
  row: LeadRow;
  new: Schema<'CreateLead'>;
  patch: Schema<'UpdateLead'>;
  references: ResolveReferences;
}

export const leadRules: SingleRules<LeadTypes> = {
  kind: 'lead',
  resource: leads,
  toObject: toLead,
  checkNew: (checkBody, fields) => checkBody('createLead', fields),
  async lockFirst(db, items) {
    await lockContactsOf(db, items);
  },
  lockReferences,
  toRow: newLead,
  patch: patchedLead,
  merge: mergedLead,
  insertRow: (row, writer) => insertOrThrow(writer, leads, row, leadInsertion(row, writer)),
  updateRow: changeLead,
  findRows: findLeads,
  insertRows: insertLeads,
  updateRows: updateLeads,
  recordMore: recordCorrections,
};
