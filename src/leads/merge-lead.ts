import { contacts } from '../contacts/queries.ts';
import { lockExisting } from '../content/queries.ts';
import { lockRow } from '../db/resource.ts';
import { fillPerson } from '../resource/merging/fill-person.ts';
import type { Merging } from '../resource/merging/merge-one.ts';
import { lockActiveUser } from '../users/resolve-user.ts';
import { findFirstTimes, moveDeliveries, moveSalesCycles, moveStatusChanges } from './merge-queries.ts';
import { findContinued, numberSalesCycles } from './sales-cycles/queries.ts';
import { isClosed, type LeadRow } from './tables.ts';

/**
 * The lead that stays keeps its time of creation. Its history becomes that of both, so it reached each status when the first of
 * them did. It gets all closed sales cycles, and is open if one of them was.
 */
export const leadMerging: Merging<LeadRow> = {
  references: {
    columns: ['assigned_user_id', 'content_id', 'contact_id'],
    async lock(db, { assigned_user_id, content_id, contact_id }) {
      if (contact_id !== null) await lockRow(db, contacts, contact_id, 'key share');
      if (content_id !== null) await lockExisting(db, [content_id]);
      if (assigned_user_id !== null) await lockActiveUser(db, assigned_user_id);
    },
  },
  lockActiveUser,
  fill: (stays, other) => ({
    ...fillPerson(stays, other),
    source_detail: stays.source_detail ?? other.source_detail,
    content_id: stays.content_id ?? other.content_id,
    contact_id: stays.contact_id ?? other.contact_id,
    // What a closed lead shows is that of its closed cycle.
    ...(!isClosed(stays.status) && {
      // An amount without its currency means nothing.
      ...(stays.value_amount === null && {
        value_amount: other.value_amount,
        value_currency: other.value_currency,
      }),
      expected_close_on: stays.expected_close_on ?? other.expected_close_on,
    }),
  }),
  async moveReferences(from, to, { db }) {
    await moveSalesCycles(db, { from, to });
    await numberSalesCycles(db, to);
    await moveStatusChanges(db, { from, to });
    await moveDeliveries(db, { from, to });
    return { ...(await findFirstTimes(db, to)), ...(await findContinued(db, to)) };
  },
};
