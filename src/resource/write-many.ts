import { ConflictError } from '../db/errors.ts';
import type { Change, Wanted } from '../db/many-rows.ts';
import { uniqueValues } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import { createdEvent, updatedEvents } from '../events/record-change.ts';
import { type NewEvent, recordEvents } from '../events/record-events.ts';
import type { Declared } from '../metadata/declared.ts';
import { lockDeclared } from '../metadata/queries.ts';
import { Problem, problemAt } from '../problem.ts';
import { differences } from '../values/merge-patch.ts';
import { addMerges, addSurvivors } from './add-merges.ts';
import { KnownRows, keysOf } from './known-rows.ts';
import { divide } from './rounds.ts';
import { asConflict, duplicate } from './rows.ts';
import type { Rules, Types, Writer } from './rules.ts';

/** Maximum rounds of a batch that write: each takes statements of its own. */
const MAX_ROUNDS = 100;

/** What happened to an item. A failed one has the error that a request with this item alone would get. */
export type Outcome<Row> =
  | { status: 'created' | 'updated' | 'unchanged'; row: Row }
  | { status: 'failed'; error: Problem };

/** One item: a row to find by its id or unique values, or to add, and what to write. */
export interface Write<T extends Types> {
  /** UUID. */
  id?: string;
  /** The fields sent, which may have unique values. */
  fields: object;
  /** Where the fields are in the item, if not at its top. */
  at?: string;
  /** Says what to write, given the rows that have one of the values. Throws the Problem of an item that fails. */
  plan(rows: KnownRows<T['row']>, references: T['references'], declared: Declared): Plan<T['row']>;
}

export type Plan<Row> = { insert: RowValues<Row> & { id: string } } | Change<Row>;

/**
 * Has the effect of running the writes one by one, but uses a few statements, with their events. A Problem among the
 * writes is an item that has failed already. Without `isChanging`, rows are added only.
 */
export function writeMany<T extends Types>(
  rules: Rules<T>,
  writes: readonly (Write<T> | Problem)[],
  isChanging: boolean,
  context: Writer,
): Promise<Outcome<T['row']>[]> {
  return new ManyWriter(rules, writes, isChanging, context).run();
}

class ManyWriter<T extends Types> {
  readonly #rules: Rules<T>;
  readonly #writes: readonly (Write<T> | Problem)[];
  readonly #isChanging: boolean;
  readonly #context: Writer;
  readonly #rows: KnownRows<T['row']>;
  readonly #outcomes: Outcome<T['row']>[] = [];
  readonly #events: NewEvent[][] = [];
  readonly #updates: { before: T['row']; after: T['row'] }[] = [];
  #declared: Declared = new Map();
  #rounds = 0;

  constructor(
    rules: Rules<T>,
    writes: readonly (Write<T> | Problem)[],
    isChanging: boolean,
    context: Writer,
  ) {
    this.#rules = rules;
    this.#writes = writes;
    this.#isChanging = isChanging;
    this.#context = context;
    this.#rows = new KnownRows(rules.resource);
  }

  async run(): Promise<Outcome<T['row']>[]> {
    const { resource, lockFirst, lockReferences } = this.#rules;
    const fields = this.#writes.flatMap((write) => (write instanceof Problem ? [] : [write.fields]));
    if (this.#isChanging) await lockFirst?.(this.#context.db, fields);
    const values = this.#writes.map((write) =>
      write instanceof Problem ? {} : { ...write.fields, id: write.id },
    );
    const found = await this.#find(values);
    const references = await lockReferences(this.#context.db, fields, this.#context.assignable);
    const keys = values.map((each) => keysOf(resource, each));
    const links = this.#isChanging ? found : [];
    this.#declared = await lockDeclared(this.#context.db, resource.table, fields);
    for (const round of divide(keys, links)) await this.#runRound(round, references);
    await recordEvents(this.#context, this.#events.flat());
    await this.#rules.recordMore?.(this.#context, this.#updates);
    return this.#outcomes;
  }

  async #runRound(round: readonly number[], references: T['references']) {
    const inserts = new Map<string, { index: number; row: RowValues<T['row']> }>();
    const updates = new Map<string, { index: number; change: Change<T['row']> }>();
    for (const index of round) {
      const plan = this.#plan(index, references);
      if (plan === undefined || this.#isTooMany(index)) continue;
      if ('insert' in plan) inserts.set(plan.insert.id, { index, row: plan.insert });
      else updates.set(plan.before.id, { index, change: plan });
    }
    if (inserts.size + updates.size > 0) this.#rounds += 1;
    await this.#update(updates);
    await this.#insert(inserts);
  }

  /** What is left to write of an item. */
  #plan(index: number, references: T['references']): Plan<T['row']> | undefined {
    const write = this.#writes[index] as Write<T> | Problem;
    try {
      if (write instanceof Problem) throw write;
      const plan = write.plan(this.#rows, references, this.#declared);
      if ('insert' in plan) {
        this.#checkUnique(plan.insert.id, plan.insert, write.at);
        return plan;
      }
      const { before } = plan;
      const changes: RowValues<T['row']> = differences(before, plan.changes);
      if (Object.keys(changes).length === 0) {
        this.#outcomes[index] = { status: 'unchanged', row: before };
        return undefined;
      }
      this.#checkUnique(before.id, changes, write.at);
      return { before, changes };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#outcomes[index] = { status: 'failed', error };
      return undefined;
    }
  }

  /** Whether the item fails because too many items before it share its row or its unique values. */
  #isTooMany(index: number): boolean {
    const { maxRounds = MAX_ROUNDS } = this.#context;
    if (this.#rounds < maxRounds) return false;
    const { prefix, unique } = this.#rules.resource;
    const { id, fields } = this.#writes[index] as Write<T>;
    const field = id === undefined ? unique.find(({ column }) => column in fields)?.column : 'id';
    const message = `More than ${maxRounds} items of this batch are about the same ${prefix}. Send this one in another batch.`;
    const error = new Problem('validation_failed', message, {
      details: { errors: { [field ?? 'id']: [message] } },
    });
    this.#outcomes[index] = { status: 'failed', error };
    return true;
  }

  #checkUnique(id: string, values: RowValues<T['row']>, at?: string): void {
    const conflict = this.#rows.conflict(id, values);
    if (conflict === undefined) return;
    const problem = duplicate(this.#rules.resource, conflict);
    throw at === undefined ? problem : problemAt(at, problem);
  }

  /** Returns the keys of each row that it has found. */
  async #find(values: readonly object[]): Promise<string[][]> {
    const columns = [{ column: 'id' }, ...this.#rules.resource.unique];
    const wanted: Wanted = Object.fromEntries(
      columns.map((unique) => {
        const all = values.flatMap((each) => uniqueValues(unique, each).map(({ value }) => value));
        return [unique.column, [...new Set(all)]];
      }),
    );
    if (Object.values(wanted).every(({ length }) => length === 0)) return [];
    const { db } = this.#context;
    const lock = 'no key update';
    const found = await this.#rules.findRows(db, wanted, this.#isChanging ? lock : undefined);
    for (const row of found) this.#rows.add(row);
    const keys = found.map((row) => keysOf(this.#rules.resource, row));
    if (!this.#isChanging) return keys;
    await addMerges(db, this.#rules.kind, wanted, this.#rows);
    const survivors = await addSurvivors(db, this.#rules, wanted, this.#rows, lock);
    return [...keys, ...survivors];
  }

  async #update(updates: ReadonlyMap<string, { index: number; change: Change<T['row']> }>): Promise<void> {
    if (updates.size === 0) return;
    const { kind, updateRows, toObject } = this.#rules;
    const changes = [...updates.values()].map(({ change }) => change);
    const rows = await updateRows(changes, this.#context).catch(asConflict);
    for (const row of rows) {
      const { index, change } = updates.get(row.id) as { index: number; change: Change<T['row']> };
      this.#rows.add(row);
      this.#outcomes[index] = { status: 'updated', row };
      this.#updates.push({ before: change.before, after: row });
      this.#events[index] = this.#ofHistory(row, updatedEvents(kind, toObject(change.before), toObject(row)));
    }
  }

  async #insert(inserts: ReadonlyMap<string, { index: number; row: RowValues<T['row']> }>): Promise<void> {
    if (inserts.size === 0) return;
    const { kind, insertRows, toObject, eventsOfNew } = this.#rules;
    const added = await insertRows(
      [...inserts.values()].map(({ row }) => row),
      this.#context,
    );
    // Another transaction has just added a row with a unique value of these. To lock it now could be a deadlock.
    if (added.length < inserts.size) throw new ConflictError();
    for (const row of added) {
      const { index } = inserts.get(row.id) as { index: number };
      this.#rows.add(row);
      this.#outcomes[index] = { status: 'created', row };
      const object = toObject(row);
      this.#events[index] = this.#ofHistory(row, eventsOfNew?.(object) ?? [createdEvent(kind, object)]);
    }
  }

  /** The events, as part of the history that the row belongs to. */
  #ofHistory(row: T['row'], events: NewEvent[]): NewEvent[] {
    const about = this.#rules.about?.(row);
    return about === undefined ? events : events.map((event) => ({ ...event, about }));
  }
}
