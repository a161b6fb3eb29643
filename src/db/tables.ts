import type { Knex } from 'knex';
import { knex } from './query.ts';

/** Declares a column of a table by its type. It holds no personal data. */
export function column<Type>(): Type {
  return undefined as Type;
}

/** How personal data is erased from a row that stays: SQL of the column's new value. */
interface Erasing {
  /** If the row is about an erased person. Knows `person.public_id` and `person.email`, which replaces the address. */
  person?: string;
  /** If the row may name an erased address. Knows the regular expressions `whole` and `part` that find it. */
  address?: string;
}

class Personal {
  readonly erasing: Erasing;
  constructor(erasing: Erasing) {
    this.erasing = erasing;
  }
}

/** Declares a column that may hold personal data. Without `erasing`, it is deleted with its row. */
export function personal<Type>(erasing: Erasing = {}): Type {
  return new Personal(erasing) as Type;
}

/** The assignments of an UPDATE that erases a person or an address from the declared columns. */
export function erasingIn(columns: object, what: keyof Erasing): Knex.Raw {
  const assignments = Object.entries(columns).flatMap(([name, column]) => {
    const value = column instanceof Personal ? column.erasing[what] : undefined;
    return value === undefined ? [] : [`"${name}" = ${value}`];
  });
  return knex.raw(assignments.join(', '));
}

/** The names of the declared columns. Queries list them, because adding a column breaks prepared statements with `*`. */
export function columnsOf<Row extends object>(row: Row) {
  return Object.keys(row) as (keyof Row & string)[];
}

/** Columns of every resource's table. In rows, timestamps are ISO 8601 in UTC. */
export const base = {
  id: column<string>(),
  created_at: column<string>(),
  updated_at: column<string>(),
  version: column<number>(),
};

export type BaseRow = typeof base;

/** Columns shared by leads and contacts. A contact's email may be null. */
export const personColumns = {
  ...base,
  name: personal<string>(),
  email: personal<string | null>(),
  /** None of them is the email. */
  other_emails: personal<string[]>(),
  phone: personal<string | null>(),
  company: personal<string | null>(),
  tags: personal<string[]>(),
  assigned_user_id: column<string | null>(),
  external_id: personal<string | null>(),
  next_step: personal<string | null>(),
  next_step_at: column<string | null>(),
  metadata: personal<Record<string, string | number | boolean>>(),
};

/** An address of a lead or contact, in a table of all. It is deleted with its owner. */
export const ownedEmail = { email: personal<string>(), owner_id: column<string>() };

export type PersonRow<Email extends string | null> = typeof personColumns & { email: Email };
