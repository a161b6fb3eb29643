import { updateRow } from '../db/resource.ts';
import { NOW, type RowValues } from '../db/row-statements.ts';
import { findFirstTimes } from '../leads/merge-queries.ts';
import { insertStatusChange, leads } from '../leads/queries.ts';
import {
  type CycleChange,
  correctChange,
  deleteChanges,
  findChanges,
  salesCycles,
} from '../leads/sales-cycles/queries.ts';
import type { SalesCycleRow } from '../leads/sales-cycles/tables.ts';
import type { LeadRow, LeadStatus } from '../leads/tables.ts';
import { updateOrThrow } from '../resource/rows.ts';
import type { Writer } from '../resource/rules.ts';

/** A lead and one of its cycles after a correction. */
export interface Corrected {
  lead: LeadRow;
  cycle: SalesCycleRow;
}

interface Correction extends Corrected {
  /** The cycle with its wrong status. */
  before: SalesCycleRow;
  /** Whether it is the lead's last one, and what the lead shows of it then. */
  isLast: boolean;
  shown: RowValues<LeadRow>;
}

/** In the order of the pipeline. `lost` is no step. */
const steps = ['new', 'contacted', 'qualified', 'won'] as const;

function furthest(changes: readonly Pick<CycleChange, 'to_status'>[]): (typeof steps)[number] | null {
  return steps.findLast((step) => changes.some(({ to_status }) => to_status === step)) ?? null;
}

/** Makes a won cycle lost, or the reverse, as if it had been so all the time: the history says the same. */
export async function correctStatus(
  { lead, before, cycle: { status }, isLast, shown }: Correction,
  context: Writer,
): Promise<Corrected> {
  const { db } = context;
  const changes = await findChanges(db, before);
  const closing = changes.at(-1) as CycleChange;
  await correctChange(db, { leadId: lead.id, id: closing.id, from: before.status, to: status });
  const corrected = [...changes.slice(0, -1), { to_status: status }];
  const cycle = await updateRow(db, salesCycles, before.id, { furthest_status: furthest(corrected) });
  const values = {
    ...shown,
    ...(await findFirstTimes(db, lead.id)),
    ...(isLast ? { status } : { sales_cycles_won: lead.sales_cycles_won + (status === 'won' ? 1 : -1) }),
  };
  return { cycle, lead: await updateOrThrow(context, leads, lead, values) };
}

/** Makes the lead's last cycle open again, as if it had never been closed. */
export async function withdrawClose(
  lead: LeadRow,
  before: SalesCycleRow,
  status: LeadStatus,
  context: Writer,
): Promise<Corrected> {
  const { db } = context;
  const changes = await findChanges(db, before);
  const [closing, previous] = [changes.at(-1) as CycleChange, changes.at(-2)];
  // A cycle that was closed as soon as it was opened was opened with this status instead.
  if (previous === undefined) {
    await correctChange(db, { leadId: lead.id, id: closing.id, from: before.status, to: status });
  } else {
    await deleteChanges(db, lead.id, [closing]);
  }
  const kept = previous ?? { ...closing, to_status: status };
  await updateRow(db, salesCycles, before.id, {
    status,
    furthest_status: furthest([...changes.slice(0, -1), { to_status: status }]),
    lost_reason: null,
    closed_at: null,
  });
  const isMoved = kept.to_status !== status;
  const after = await updateRow(db, leads, lead.id, {
    ...(await findFirstTimes(db, lead.id)),
    status,
    lost_reason: null,
    status_changed_at: isMoved ? NOW : kept.changed_at,
  });
  if (isMoved) await insertStatusChange({ ...lead, status: kept.to_status }, after, context);
  const [cycle] = await db.run(salesCycles.statements.findByIds({ ids: [before.id] }));
  return { lead: after, cycle: cycle as SalesCycleRow };
}
