import { actorColumns } from '../actor.ts';
import { recordAct } from '../audit-log/record-act.ts';
import { contactRules } from '../contacts/contact-rules.ts';
import { eraseAddress } from '../erasures/erase-address.ts';
import type { Erased } from '../erasures/queries.ts';
import { nameActors } from '../events/name-actors.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { unlinkContacts } from '../leads/unlink-contacts.ts';
import { findMergedInto } from '../merges/queries.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { removeRows } from '../resource/write-one.ts';
import { newUuid } from '../values/id.ts';
import { toErasure } from './erasure.ts';
import { findPeople } from './find-people.ts';
import { countNotes, insertErasure, receiversOf } from './queries.ts';
import { toReceiver } from './receiver.ts';

/** Former leads and contacts that an erasure names. */
const MAX_SHOWN = 100;

export async function createErasure(
  { body: { email, include_former: includeFormer } }: Input<'createErasure'>,
  context: OperationContext,
): Promise<Result<'createErasure'>> {
  const { db } = context;
  const { leads, contacts, former } = await findPeople(db, email, { lock: 'update', includeFormer });
  const leadIds = leads.map(({ id }) => id);
  const contactIds = contacts.map(({ id }) => id);
  const ids = [...leadIds, ...contactIds];
  const receivers = await receiversOf(db, [...ids, ...(await findMergedInto(db, ids))]);
  const stay = former.map(({ id }) => id);
  const notes = await countNotes(db, leadIds, contactIds);
  const erased = total([
    await removeRows(leadRules, leads, context),
    await removeRows(contactRules, contacts, context, unlinkContacts),
    await eraseAddress(db, email, [...stay, ...(await findMergedInto(db, stay))]),
  ]);
  const row = await insertErasure(db, {
    id: newUuid(),
    ...actorColumns(context.actor),
    request_id: context.requestId,
    counts: { leads: leads.length, contacts: contacts.length, notes, ...erased },
    former: former.map(({ publicId }) => publicId).slice(0, MAX_SHOWN),
    receivers: receivers.map(toReceiver),
  });
  await recordAct(context, 'person.erased', { erasure_id: row.id });
  const [data = toErasure(row)] = await nameActors(db, [toErasure(row)]);
  return { status: 201, headers: { Location: `${context.baseUrl}/erasures/${data.id}` }, body: { data } };
}

function total(all: readonly Erased[]): Erased {
  const sum = (name: keyof Erased) => all.reduce((count, erased) => count + erased[name], 0);
  return {
    events: sum('events'),
    stored_answers: sum('stored_answers'),
    inbound_deliveries: sum('inbound_deliveries'),
    webhook_responses: sum('webhook_responses'),
  };
}
