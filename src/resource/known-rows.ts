import { type Conflict, type Resource, uniqueValues } from '../db/resource.ts';
import type { RowValues } from '../db/row-statements.ts';
import type { BaseRow } from '../db/tables.ts';
import type { Merge } from '../merges/queries.ts';

/** An id (UUID) or unique value of a row. Case is ignored where the database ignores it. */
export function keyOf<Row extends BaseRow>({ unique }: Resource<Row>, column: string, value: string): string {
  const ignoresCase = unique.some((each) => each.column === column && each.ignoresCase);
  return `${column} ${ignoresCase ? value.toLowerCase() : value}`;
}

/** The keys among these values. */
export function keysOf<Row extends BaseRow>(resource: Resource<Row>, values: object): string[] {
  return [{ column: 'id' }, ...resource.unique].flatMap((unique) =>
    uniqueValues(unique, values).map(({ value }) => keyOf(resource, unique.column, value)),
  );
}

/** Rows as they are in the transaction, by id and unique value. */
export class KnownRows<Row extends BaseRow> {
  readonly #resource: Resource<Row>;
  readonly #rows = new Map<string, Row>();
  readonly #merges = new Map<string, Merge>();
  readonly #survivors = new Map<string, string>();

  constructor(resource: Resource<Row>) {
    this.#resource = resource;
  }

  /** Adds a row, or replaces it by what it is now. */
  add(row: Row): void {
    const before = this.find('id', row.id);
    if (before !== undefined) this.delete(before);
    for (const key of keysOf(this.#resource, row)) this.#rows.set(key, row);
  }

  delete(row: Row): void {
    for (const key of keysOf(this.#resource, row)) this.#rows.delete(key);
  }

  /** Remembers that what had this id or external id was merged into another row. */
  addMerge(column: 'id' | 'external_id', value: string, merge: Merge): void {
    this.#merges.set(keyOf(this.#resource, column, value), merge);
  }

  findMerge(column: string, value: string): Merge | undefined {
    return this.#merges.get(keyOf(this.#resource, column, value));
  }

  /** Remembers that what had this address was merged into another row (UUID), which is known. */
  addSurvivor(email: string, id: string): void {
    this.#survivors.set(email.toLowerCase(), id);
  }

  /** The row into which the one with this address was merged. */
  findSurvivor(email: string): Row | undefined {
    const id = this.#survivors.get(email.toLowerCase());
    return id === undefined ? undefined : this.find('id', id);
  }

  find(column: string, value: string): Row | undefined {
    return this.#rows.get(keyOf(this.#resource, column, value));
  }

  /** The first of a row's unique values that another row than `id` has. */
  conflict(id: string, values: RowValues<Row>): Conflict | undefined {
    for (const unique of this.#resource.unique) {
      for (const { field, value } of uniqueValues(unique, values)) {
        const other = this.find(unique.column, value);
        if (other !== undefined && other.id !== id) return { column: unique.column, field, id: other.id };
      }
    }
    return undefined;
  }
}
