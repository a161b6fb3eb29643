import type { OperationContext } from '../operation.ts';
import { fillPerson } from '../resource/merging/fill-person.ts';
import type { Merging } from '../resource/merging/merge-one.ts';
import { lockActiveUser } from '../users/resolve-user.ts';
import type { ContactRow } from './tables.ts';

/** How contacts are merged. `moveLeads` moves the leads of the other one, by UUID. */
export function contactMerging(
  moveLeads: (from: string, to: string, context: OperationContext) => Promise<void>,
): Merging<ContactRow> {
  return {
    references: {
      columns: ['assigned_user_id'],
      async lock(db, { assigned_user_id }) {
        if (assigned_user_id !== null) await lockActiveUser(db, assigned_user_id);
      },
    },
    lockActiveUser,
    fill: (stays, other) => ({
      ...fillPerson(stays, other),
      email: stays.email ?? other.email,
      title: stays.title ?? other.title,
    }),
    async moveReferences(from, to, context) {
      await moveLeads(from, to, context);
      return {};
    },
  };
}
