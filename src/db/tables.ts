/** Declares a column of a table by its type. It has no value: only the keys of a declaration are read. */
export function column<Type>(): Type {
  return undefined as Type;
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
  name: column<string>(),
  email: column<string | null>(),
  phone: column<string | null>(),
  company: column<string | null>(),
  tags: column<string[]>(),
  assigned_user_id: column<string | null>(),
  external_id: column<string | null>(),
  metadata: column<Record<string, string>>(),
};

export type PersonRow<Email extends string | null> = typeof personColumns & { email: Email };
