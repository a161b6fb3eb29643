import type { RowValues } from '../db/row-statements.ts';
import type { Schema } from '../operation.ts';
import { invalidFields } from '../problem.ts';
import { checkPast } from '../resource/past.ts';
import type { LeadRow, LeadStatus } from './tables.ts';

/** Times of a lead's life before it was written here. An undefined one is unknown. */
export type PastTimes = Partial<Record<PastTime, string>>;

type PastTime = keyof typeof columnOf;

/** The columns of the times. */
export const columnOf = {
  created_at: 'created_at',
  first_contacted_at: 'contacted_at',
  first_qualified_at: 'qualified_at',
  first_won_at: 'won_at',
  first_lost_at: 'lost_at',
  status_changed_at: 'status_changed_at',
} as const satisfies Partial<Record<keyof Schema<'Lead'>, keyof LeadRow>>;

/** The fields of a lead that only imports can set. */
export const pastTimes = Object.keys(columnOf) as PastTime[];

/** The first times of statuses, in the order of the pipeline. `lost` may come after any of them. */
const stages = ['first_contacted_at', 'first_qualified_at', 'first_won_at'] as const;
const firsts = [...stages, 'first_lost_at'] as const;
type First = (typeof firsts)[number];

const statusOf: Record<First, LeadStatus> = {
  first_contacted_at: 'contacted',
  first_qualified_at: 'qualified',
  first_won_at: 'won',
  first_lost_at: 'lost',
};

/** For messages: what happened at this time. */
const happened: Record<PastTime, string> = {
  created_at: 'created',
  first_contacted_at: 'first contacted',
  first_qualified_at: 'first qualified',
  first_won_at: 'first won',
  first_lost_at: 'first lost',
  status_changed_at: 'last moved to another status',
};

export function hasPast(times: PastTimes): boolean {
  return pastTimes.some((field) => times[field] !== undefined);
}

/** The status that the lead reached last, for a row without one. */
export function latestStatus(times: PastTimes): LeadStatus | undefined {
  const reached = firsts.filter((field) => times[field] !== undefined);
  const [last] = reached.sort((one, other) => (timeOf(times, one) > timeOf(times, other) ? -1 : 1));
  return last && statusOf[last];
}

function timeOf(times: PastTimes, field: PastTime): string {
  return times[field] ?? '';
}

/**
 * The columns of a new lead with this status and these times: the status changes follow from them. Throws 422 for times in the
 * future, and for times that contradict each other.
 */
export function historyColumns(given: PastTimes, now: string): RowValues<LeadRow> {
  checkPast('lead', given, happened, now);
  const times = pastTimes.flatMap((field) => given[field] ?? []).sort();
  const created_at = given.created_at ?? times[0] ?? now;
  const status_changed_at = given.status_changed_at ?? times.at(-1) ?? now;
  checkOrder({ created_at, ...given, status_changed_at });
  const reached = firsts.map((field) => [columnOf[field], given[field]]);
  return { ...Object.fromEntries(reached), created_at, status_changed_at };
}

/** Earlier and later times. */
const order: readonly [PastTime, PastTime][] = [
  ...firsts.map((field): [PastTime, PastTime] => ['created_at', field]),
  ['first_contacted_at', 'first_qualified_at'],
  ['first_contacted_at', 'first_won_at'],
  ['first_qualified_at', 'first_won_at'],
  ...['created_at' as const, ...firsts].map((field): [PastTime, PastTime] => [field, 'status_changed_at']),
];

function checkOrder(times: PastTimes): void {
  const errors: Record<string, string[]> = {};
  for (const [earlier, later] of order) {
    const [one, other] = [times[earlier], times[later]];
    if (one === undefined || other === undefined || one <= other) continue;
    errors[later] ??= [`A lead can't be ${happened[later]} before it was ${happened[earlier]}.`];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** An entry of a lead's status history. */
export interface StatusChange {
  lead_id: string;
  from_status: LeadStatus | null;
  to_status: LeadStatus;
  changed_at: string;
}

/** The status changes that the times of a new lead tell. The first one is its creation. */
export function historyOf({ id, status, ...times }: PastLead): StatusChange[] {
  const { created_at, status_changed_at } = times;
  const reached = firsts.flatMap((field) => {
    const at = times[columnOf[field]];
    return typeof at === 'string' ? [{ status: statusOf[field], at }] : [];
  });
  const isOpen = stages.some((field) => times[columnOf[field]] !== undefined);
  const wasOpen = isOpen || status !== 'lost' || (reached[0]?.at ?? status_changed_at) > created_at;
  const steps = [
    ...(wasOpen ? [{ status: 'new' as LeadStatus, at: created_at }] : []),
    ...reached,
    { status, at: status_changed_at },
  ];
  // A stable sort. Of simultaneous statuses, a later stage includes the earlier ones. `lost` includes none, and isn't included.
  steps.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  const entered = steps
    .filter(({ status, at }, index) => {
      const next = steps[index + 1];
      return at !== next?.at || status === 'lost' || next.status === 'lost';
    })
    .filter(({ status }, index, all) => status !== all[index - 1]?.status);
  return entered.map(({ status, at }, index) => ({
    lead_id: id,
    from_status: entered[index - 1]?.status ?? null,
    to_status: status,
    changed_at: at,
  }));
}

/** A new lead with times of the past. */
export type PastLead = Pick<LeadRow, 'id' | 'status' | 'created_at' | 'status_changed_at'> &
  Partial<Pick<LeadRow, (typeof columnOf)[First]>>;
