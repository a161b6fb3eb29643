import type { Db } from '../db/db.ts';
import type { Change, Wanted } from '../db/many-rows.ts';
import type { Resource, RowLock } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import type { BaseRow, PersonRow } from '../db/tables.ts';
import type { ResourceKind, Resources } from '../events/record-change.ts';
import type { NewEvent } from '../events/record-events.ts';
import type { OperationContext } from '../operation.ts';
import type { MetadataValue } from '../values/metadata-value.ts';

/** The types of a resource that is written by rules. */
export interface Types {
  kind: ResourceKind;
  row: BaseRow;
  /** The fields of a new resource. */
  new: Patch;
  /** The fields of a merge patch. */
  patch: Patch;
  /** What the fields refer to, such as users. */
  references: unknown;
}

/** What a request for a single one is answered. */
export type AnswerOf<T extends Types> = T extends {
  answer: infer Answer extends { id: string; version: number };
}
  ? Answer
  : Resources[T['kind']];

/** The types of leads or of contacts. */
export interface PersonTypes extends Types {
  kind: 'lead' | 'contact';
  row: PersonRow<string | null>;
}

interface Patch {
  email?: string | null;
  external_id?: string | null;
  slug?: string | null;
  assigned_user_id?: string | null;
  contact_id?: string | null;
  metadata?: Record<string, MetadataValue | null> | null;
}

/** Who writes, in which transaction. */
export interface Writer extends Pick<OperationContext, 'db' | 'actor' | 'requestId' | 'principal'> {
  /** Maximum rounds that write, if not those of a batch. */
  maxRounds?: number;
  /** Locked users (UUIDs) who may be assigned although they are inactive. */
  assignable?: ReadonlySet<string>;
}

/** How a resource is stored, shown and written, many together. */
export interface Rules<T extends Types> {
  kind: T['kind'];
  resource: Resource<T['row'], T['kind']>;
  toObject(row: T['row']): Resources[T['kind']];
  /** The answer to a request for a single one, if it shows more than lists and events. */
  toAnswer?(row: T['row']): AnswerOf<T>;
  /** Validates the fields of a new row and fills in defaults. */
  checkNew(checkBody: OperationContext['checkBody'], fields: object): T['new'];
  /** Locks what must be locked before the rows themselves. */
  lockFirst?(db: Db, items: readonly Patch[]): Promise<void>;
  /** Locks what the fields refer to. `assignable` are locked users (UUIDs) who may be assigned although they are inactive. */
  lockReferences(db: Db, items: readonly Patch[], assignable?: ReadonlySet<string>): Promise<T['references']>;
  toRow(fields: T['new'], references: T['references']): RowValues<T['row']> & { id: string };
  patch(before: T['row'], patch: T['patch'], references: T['references']): RowValues<T['row']>;
  /** Fills empty fields and adds tags and metadata. Never overwrites a value. */
  merge(before: T['row'], patch: T['patch'], references: T['references']): RowValues<T['row']>;
  /** Finds the rows that have one of the values, and locks them if asked. */
  findRows(db: Db, wanted: Wanted, lock?: RowLock): Promise<T['row'][]>;
  /** Inserts the rows. Returns those inserted: not those with a unique value of another row. */
  insertRows(rows: readonly RowValues<T['row']>[], writer: Writer): Promise<T['row'][]>;
  /** Updates locked rows. */
  updateRows(changes: readonly Change<T['row']>[], writer: Writer): Promise<T['row'][]>;
  /** Records what else the updates have changed, after their own events. */
  recordMore?(writer: Writer, updates: readonly { before: T['row']; after: T['row'] }[]): Promise<void>;
  /** Events of a new row, if there are more than `created`. */
  eventsOfNew?(object: Resources[T['kind']]): NewEvent[];
  /** The resource (UUID) whose history has the row's events, if it isn't the row itself. */
  about?(row: T['row']): string | undefined;
}

/** The same for a resource that is also written one by one. */
export interface SingleRules<T extends Types> extends Rules<T> {
  /** Throws 422 if another row has one of the unique values. */
  insertRow(row: RowValues<T['row']> & { id: string }, writer: Writer): Promise<T['row']>;
  /** Updates a locked row. Throws the same 422. */
  updateRow(before: T['row'], values: RowValues<T['row']>, writer: Writer): Promise<T['row']>;
}
