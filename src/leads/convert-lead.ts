import { toContact } from '../contacts/contact.ts';
import { contactRules } from '../contacts/contact-rules.ts';
import { contacts } from '../contacts/queries.ts';
import type { ContactRow } from '../contacts/tables.ts';
import { convertedEvent, updatedEvents } from '../events/record-change.ts';
import { recordEvents } from '../events/record-events.ts';
import { etag } from '../http/conditional.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { findOrAdd } from '../resource/find-or-add.ts';
import { findOrThrow, lockOrThrow, lockReferenced } from '../resource/rows.ts';
import { add } from '../resource/write-one.ts';
import { lockActiveUser } from '../users/resolve-user.ts';
import { toId, toNullableId } from '../values/id.ts';
import { toLead } from './lead.ts';
import { leads } from './queries.ts';
import type { LeadRow } from './tables.ts';
import { changeLead, withStatus } from './write-lead.ts';

/** Locks the lead: of several concurrent requests, one converts it, and the others find it converted. */
export async function convertLead(
  input: Input<'convertLead'>,
  context: OperationContext,
): Promise<Result<'convertLead'>> {
  const { contact_id: contactId, status } = input.body;
  const before = await lockOrThrow(context.db, leads, input);
  if (before.status === 'lost') {
    throw invalidField('status', 'is lost; change the status of the lead before converting it', 'lead_lost');
  }
  if (before.contact_id !== null) {
    const contact = await contactOf(before.contact_id, contactId, context);
    return {
      status: 200,
      headers: { ETag: etag(before.version) },
      body: conversionBody(before, contact, false),
    };
  }
  const { contact, created } = await chooseContact(before, contactId, context);
  const lead = await changeLead(before, withStatus(before, { contact_id: contact.id, status }), context);
  const after = toLead(lead);
  await recordEvents(context, [...updatedEvents('lead', toLead(before), after), convertedEvent(after)]);
  const Location = `${context.baseUrl}/contacts/${toId('contact', contact.id)}`;
  return {
    status: 201,
    headers: { Location, ETag: etag(lead.version) },
    body: conversionBody(lead, contact, created),
  };
}

/** The contact that the lead was converted to. Throws 409 if the request names another one. */
async function contactOf(
  uuid: string,
  requestedId: string | null | undefined,
  { db }: OperationContext,
): Promise<ContactRow> {
  const id = toId('contact', uuid);
  if (requestedId !== undefined && requestedId !== null && requestedId !== id) {
    throw invalidField(
      'contact_id',
      'is not the contact that the lead was converted to',
      'already_converted',
    );
  }
  return findOrThrow(db, contacts, id);
}

/**
 * The contact that the request names, else the one with an email address of the lead, else a new one. Locked against deletion
 * until the transaction ends.
 */
async function chooseContact(
  lead: LeadRow,
  requestedId: string | null | undefined,
  context: OperationContext,
): Promise<{ contact: ContactRow; created: boolean }> {
  if (requestedId !== undefined && requestedId !== null) {
    const contact = await lockReferenced(
      context.db,
      contacts,
      'contact_id',
      requestedId,
      'an existing contact',
    );
    return { contact, created: false };
  }
  const { name, email, other_emails, phone, company, tags, assigned_user_id: assignee } = lead;
  const isActive = assignee !== null && (await lockActiveUser(context.db, assignee));
  const assigned_user_id = toNullableId('user', isActive ? assignee : null);
  const { row: contact, isNew: created } = await findOrAdd(
    context.db,
    { resource: contacts, column: 'email', values: [email, ...other_emails], rowLock: 'key share' },
    () =>
      add(
        contactRules,
        { name, email, other_emails, phone, company, tags, assigned_user_id, metadata: {} },
        context,
      ),
  );
  return { contact, created };
}

function conversionBody(
  lead: LeadRow,
  contact: ContactRow,
  contact_created: boolean,
): Schema<'ConversionResponse'> {
  return { data: { lead: toLead(lead), contact: toContact(contact), contact_created } };
}
