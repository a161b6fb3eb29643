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

/** The columns that tell a lead's history. */
export const historyColumnNames = [...Object.values(columnOf), 'new_at'] as const;

type HistoryColumns = Pick<LeadRow, (typeof historyColumnNames)[number]>;

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
 * The columns of a new lead with this status and these times. Throws 422 for times in the future, and for times that contradict
 * each other.
 */
export function historyColumns(given: PastTimes, status: LeadStatus, now: string): HistoryColumns {
  checkPast('lead', given, happened, now);
  const times = pastTimes.flatMap((field) => given[field] ?? []).sort();
  const created_at = given.created_at ?? times[0] ?? now;
  const status_changed_at = given.status_changed_at ?? times.at(-1) ?? now;
  checkOrder({ created_at, ...given, status_changed_at });
  // As the trigger leads_milestones: whoever reached a status has reached those before it.
  const own = (field: First) => (statusOf[field] === status ? status_changed_at : null);
  const won_at = least(given.first_won_at, own('first_won_at'));
  const qualified_at = least(given.first_qualified_at, won_at, own('first_qualified_at'));
  const contacted_at = least(given.first_contacted_at, qualified_at, own('first_contacted_at'));
  const lost_at = least(given.first_lost_at, own('first_lost_at'));
  const wasOpen = contacted_at !== null || status !== 'lost' || (lost_at ?? created_at) > created_at;
  return {
    created_at,
    status_changed_at,
    new_at: wasOpen ? created_at : null,
    contacted_at,
    qualified_at,
    won_at,
    lost_at,
  };
}

/** The earliest of the times that are known. */
function least(...times: readonly (string | null | undefined)[]): string | null {
  return times.filter((time) => time !== null && time !== undefined).sort()[0] ?? null;
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
interface StatusChange {
  lead_id: string;
  from_status: LeadStatus | null;
  to_status: LeadStatus;
  changed_at: string;
  seconds: number | null;
}

/** The status changes that the lead's times tell. The first one is its creation. */
export function historyOf(lead: LeadRow): StatusChange[] {
  const steps = [
    ...(['new', 'contacted', 'qualified', 'won', 'lost'] as const).map((status) => ({
      status,
      at: lead[`${status}_at`],
    })),
    { status: lead.status, at: lead.status_changed_at },
  ].filter((step): step is { status: LeadStatus; at: string } => step.at !== null);
  // A stable sort: of simultaneous statuses, the last one counts.
  steps.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  const entered = steps
    .filter(({ at }, index) => at !== steps[index + 1]?.at)
    .filter(({ status }, index, all) => status !== all[index - 1]?.status);
  return entered.map(({ status, at }, index) => {
    const previous = entered[index - 1];
    return {
      lead_id: lead.id,
      from_status: previous?.status ?? null,
      to_status: status,
      changed_at: at,
      seconds: previous === undefined ? null : Math.floor((Date.parse(at) - Date.parse(previous.at)) / 1000),
    };
  });
}
