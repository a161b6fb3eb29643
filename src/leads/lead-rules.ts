import type { Schema } from '../operation.ts';
import type { ManyRules } from '../resource/many.ts';
import { newLead } from './add-lead.ts';
import { patchedLead } from './change-lead.ts';
import { removeLeads } from './delete-lead.ts';
import { toLead } from './lead.ts';
import { findLeads, insertLeads, updateLeads } from './many-queries.ts';
import { mergedLead } from './merge-lead.ts';
import { leads } from './queries.ts';
import { lockReferences, type ResolveReferences } from './references.ts';
import type { LeadRow } from './tables.ts';

/** How many leads are written at once. */
export const leadRules: ManyRules<
  LeadRow,
  'lead',
  Schema<'CreateLead'>,
  Schema<'UpdateLead'>,
  ResolveReferences
> = {
  kind: 'lead',
  plural: 'Leads',
  resource: leads,
  toObject: toLead,
  lockReferences,
  findRows: findLeads,
  removeRows: removeLeads,
  insertRows: insertLeads,
  updateRows: updateLeads,
  checkNew: (checkBody, fields) => checkBody('createLead', fields),
  toRow: newLead,
  patch: patchedLead,
  merge: mergedLead,
};
