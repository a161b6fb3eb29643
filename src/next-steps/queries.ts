import type { Knex } from 'knex';
import { type ContactRow, contactColumns } from '../contacts/tables.ts';
import type { Db } from '../db/db.ts';
import { knex, names, type Placeholders, prepare } from '../db/query.ts';
import { type LeadRow, leadColumns } from '../leads/tables.ts';

/** Takes due next steps of a table, so that each is told once. Rows that others hold are left for the next time. */
const taking =
  (table: 'leads' | 'contacts', columns: readonly string[]) =>
  ($: Placeholders<{ limit: number }>): Knex.Raw =>
    knex.raw(
      `with due as (
        select id from ?? where next_step_due_at <= statement_timestamp()
        order by next_step_due_at, id limit ? for no key update skip locked
      )
      update ?? set next_step_due_at = null from due where ?? = due.id returning ?`,
      [table, $('limit'), table, `${table}.id`, names(columns.map((column) => `${table}.${column}`))],
    );

const takeLeads = prepare<{ limit: number }, LeadRow>('take_due_leads', taking('leads', leadColumns));
const takeContacts = prepare<{ limit: number }, ContactRow>(
  'take_due_contacts',
  taking('contacts', contactColumns),
);

export async function takeDueLeads(db: Db, limit: number): Promise<LeadRow[]> {
  return db.run(takeLeads({ limit }));
}

export async function takeDueContacts(db: Db, limit: number): Promise<ContactRow[]> {
  return db.run(takeContacts({ limit }));
}
