import type { components } from '../../generated/api.ts';
import type { ActorColumns } from '../actor.ts';
import { column, columnsOf, personal, personColumns } from '../db/tables.ts';

type Schemas = components['schemas'];

export type LeadStatus = Schemas['LeadStatus'];

/** The statuses of an open lead: it is neither won nor lost. */
export const openStatuses = ['new', 'contacted', 'qualified'] as const satisfies LeadStatus[];

export function isClosed(status: LeadStatus): boolean {
  return status === 'won' || status === 'lost';
}

export const lead = {
  ...personColumns,
  email: personal<string>(),
  status: column<LeadStatus>(),
  source: column<Schemas['LeadSource']>(),
  source_detail: personal<string | null>(),
  content_id: column<string | null>(),
  contact_id: column<string | null>(),
  lost_reason: personal<string | null>(),
  /** Exact, with the decimals of its currency; null without a value. */
  value_amount: column<string | null>(),
  value_currency: column<string | null>(),
  expected_close_on: column<string | null>(),
  status_changed_at: column<string>(),
  /** These columns: when the lead first entered that status or a later one. A trigger sets them. */
  new_at: column<string | null>(),
  contacted_at: column<string | null>(),
  qualified_at: column<string | null>(),
  won_at: column<string | null>(),
  lost_at: column<string | null>(),
  /** The cycle that the lead is in, or was in last. Triggers set these columns, unless a merge or a withdrawal does. */
  sales_cycle_id: column<string>(),
  sales_cycle_number: column<number>(),
  sales_cycle_opened_at: column<string>(),
  sales_cycles_won: column<number>(),
};

export type LeadRow = typeof lead;
export const leadColumns = columnsOf(lead);

export const statusChange = {
  lead_id: column<string>(),
  from_status: column<LeadStatus | null>(),
  to_status: column<LeadStatus>(),
  changed_at: column<string>(),
  actor_type: column<ActorColumns['actor_type']>(),
  actor_id: column<string | null>(),
  actor_user_id: column<string | null>(),
  request_id: column<string>(),
  sales_cycle_id: column<string>(),
};

export type LeadStatusChangeRow = typeof statusChange & {
  /** How long the lead was in `from_status`. A trigger computes it if it isn't given. */
  seconds?: number | null;
};

/** How many leads have something in common. */
export const leadCounter = {
  kind: column<string>(),
  /** An owner or a tag, which goes with the last lead that has it. */
  key: personal<string>(),
  status: column<LeadStatus>(),
  source: column<string>(),
  reached: column<string>(),
};

/** A row as it is read. */
export interface ListedStatusChange extends ActorColumns {
  id: string;
  lead_id: string;
  from_status: LeadStatus | null;
  to_status: LeadStatus;
  changed_at: string;
  seconds: number | null;
  request_id: string;
  sales_cycle_id: string;
  /** The lead that changed its status, if it was merged into this one. */
  merged_from: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    leads: LeadRow;
    lead_status_changes: LeadStatusChangeRow;
  }
}
