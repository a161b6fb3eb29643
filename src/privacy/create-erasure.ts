import { actorColumns } from '../actor.ts';
import { recordAct } from '../audit-log/record-act.ts';
import { contactRules } from '../contacts/contact-rules.ts';
import type { Db } from '../db/db.ts';
import { ConflictError } from '../db/errors.ts';
import { nameActors } from '../events/name-actors.ts';
import { leadRules } from '../leads/lead-rules.ts';
import { unlinkContacts } from '../leads/unlink-contacts.ts';
import { findMergedInto } from '../merges/queries.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { readFields } from '../resource/read-fields.ts';
import { newUuid } from '../values/id.ts';
import { eraseAddress } from './erase-address.ts';
import { type Erased, eraseFromImports } from './erase-queries.ts';
import { toErasure } from './erasure.ts';
import { findPeople, lockPeople } from './find-people.ts';
import { hashOfEmail } from './person-hash.ts';
import { countNotes, insertErasure, receiversOf } from './queries.ts';
import { toReceiver } from './receiver.ts';
import { removePeople } from './remove.ts';

/** Former leads and contacts that an erasure names. */
const MAX_SHOWN = 100;

export async function createErasure(
  { body }: Input<'createErasure'>,
  context: OperationContext,
): Promise<Result<'createErasure'>> {
  const { db } = context;
  const { counts, former, receivers } = await eraseAll(readFields(body), context);
  const row = await insertErasure(db, {
    id: newUuid(),
    ...actorColumns(context.actor),
    request_id: context.requestId,
    counts,
    former: former.map(({ publicId }) => publicId).slice(0, MAX_SHOWN),
    receivers: receivers.map(toReceiver),
  });
  await recordAct(context, 'person.erased', { erasure_id: row.id });
  const [data = toErasure(row)] = await nameActors(db, [toErasure(row)]);
  return { status: 201, headers: { Location: `${context.baseUrl}/erasures/${data.id}` }, body: { data } };
}

type Wanted = Input<'createErasure'>['body'];

async function eraseAll({ email, include_former }: Wanted, context: OperationContext) {
  const { db } = context;
  const { leads, contacts, former } = await lockPeople(db, email, include_former);
  const leadIds = leads.map(({ id }) => id);
  const contactIds = contacts.map(({ id }) => id);
  const ids = [...leadIds, ...contactIds];
  const receivers = await receiversOf(db, [...ids, ...(await findMergedInto(db, ids))]);
  const notes = await countNotes(db, leadIds, contactIds);
  const stay = former.map(({ id }) => id);
  const removed = [
    await removePeople(leadRules, leads, context),
    await removePeople(contactRules, contacts, context, unlinkContacts),
  ];
  const mentions = await eraseAddress(db, email, [...stay, ...(await findMergedInto(db, stay))]);
  eraseFromImports(db, [hashOfEmail(email), ...removed.flatMap(({ hashes }) => hashes)]);
  await requireNobody(db, email);
  const erased = total([...removed.map(({ erased }) => erased), mentions]);
  return { counts: { leads: leads.length, contacts: contacts.length, notes, ...erased }, former, receivers };
}

/** Throws ConflictError if another transaction has brought the person back. Its chunk of an import has ended by now. */
async function requireNobody(db: Db, email: string): Promise<void> {
  const { leads, contacts, former } = await findPeople(db, email);
  if (leads.length + contacts.length + former.length > 0) throw new ConflictError();
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
