import type { FilterTable } from '../db/list/filters.ts';
import * as filters from '../db/list/filters.ts';
import { actorFilters } from '../events/queries.ts';
import type { Input } from '../operation.ts';

export const statusChanges = {
  table: 'lead_status_changes',
  columns: [
    'id',
    'lead_id',
    'from_status',
    'to_status',
    'changed_at',
    'seconds',
    'actor_type',
    'actor_id',
    'actor_user_id',
    'request_id',
    'sales_cycle_id',
    'merged_from',
  ],
  sortable: { changed_at: 'timestamptz' },
} as const;

export const statusChangeFilters: FilterTable<Input<'listLeadStatusChanges'>['query']> = {
  ...actorFilters,
  occurred_from: filters.from('changed_at'),
  occurred_to: filters.to('changed_at'),
};
