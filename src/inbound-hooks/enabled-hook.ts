import { findRow } from '../db/resource.ts';
import type { OperationContext } from '../operation.ts';
import { notFound } from '../problem.ts';
import { hooks } from './queries.ts';
import type { InboundHookRow } from './tables.ts';

/** The hook that was authenticated by its URL. Throws 404 if it was paused or deleted since. */
export async function findEnabledHook({ db, principal }: OperationContext): Promise<InboundHookRow> {
  const hook = principal.hookId === null ? undefined : await findRow(db, hooks, principal.hookId);
  if (hook?.status !== 'enabled') throw notFound('The hook');
  return hook;
}
