import { versionMismatch } from '../http/conditional.ts';
import { merged } from '../merges/merged.ts';
import { type Declared, withTypes } from '../metadata/declared.ts';
import type { OperationContext } from '../operation.ts';
import { invalidField, Problem, problemAt } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { appliedToNothing } from './new-fields.ts';
import { readFields } from './read-fields.ts';
import { duplicate } from './rows.ts';
import type { Rules, Types, Writer } from './rules.ts';
import { type Outcome, type Plan, type Write, writeMany } from './write-many.ts';

/** What to do with an item whose row exists: change its fields, fill the empty ones, nothing, or reject the item. */
type OnDuplicate = 'update' | 'merge' | 'ignore' | 'reject';

interface Upsert {
  /** What a row is found by. */
  match: 'email' | 'external_id' | 'slug';
  onDuplicate: OnDuplicate;
}

/** Adds rows. The items are valid bodies of a request that creates one, or Problems. */
export function createMany<T extends Types>(
  rules: Rules<T>,
  items: readonly (T['new'] | Problem)[],
  context: Writer,
): Promise<Outcome<T['row']>[]> {
  const writes = items.map((item): Write<T> | Problem => {
    if (item instanceof Problem) return item;
    const fields = readFields(item);
    return {
      fields,
      plan: (_, references, declared) => ({ insert: rules.toRow(withTypes(declared, fields), references) }),
    };
  });
  return writeMany(rules, writes, false, context);
}

/** Adds rows, or changes those that exist already. The items are valid bodies of a request that changes one, or Problems. */
export function upsertMany<T extends Types>(
  rules: Rules<T>,
  items: readonly (T['patch'] | Problem)[],
  { match, onDuplicate }: Upsert,
  context: Writer & Pick<OperationContext, 'checkBody'>,
): Promise<Outcome<T['row']>[]> {
  function change(
    before: T['row'],
    given: T['patch'],
    references: T['references'],
    declared: Declared,
  ): Plan<T['row']> {
    const item = withTypes(declared, given, before);
    switch (onDuplicate) {
      case 'update':
        return { before, changes: rules.patch(before, item, references) };
      case 'merge':
        return { before, changes: rules.merge(before, item, references) };
      case 'ignore':
        return { before, changes: {} };
      case 'reject':
        throw duplicate(rules.resource, { column: match, id: before.id });
      default:
        return onDuplicate satisfies never;
    }
  }

  const writes = items.map((given): Write<T> | Problem => {
    if (given instanceof Problem) return given;
    const item = readFields(given);
    const { [match]: value } = item;
    if (typeof value !== 'string') return invalidField(match, 'is required');
    return {
      fields: item,
      plan(rows, references, declared) {
        const before = rows.find(match, value);
        const survivor = item.email ? rows.findSurvivor(item.email) : undefined;
        const found = before ?? (match === 'email' ? survivor : undefined);
        if (found !== undefined)
          return change(found, match === 'email' ? keepingEmail(found, item) : item, references, declared);
        const merge = rows.findMerge(match, value);
        if (merge !== undefined)
          throw merged(rules.resource.prefix, `with the ${match} ${value}`, merge, match);
        if (survivor !== undefined) throw duplicate(rules.resource, { column: 'email', id: survivor.id });
        const fields = rules.checkNew(context.checkBody, appliedToNothing(item));
        return { insert: rules.toRow(withTypes(declared, fields), references) };
      },
    };
  });
  return writeMany(rules, writes, true, context);
}

/** Without the address by which the row was found, if the row has another one as its main address. */
function keepingEmail<Patch extends Types['patch']>(row: object, item: Patch): Patch {
  const { email } = row as { email?: string | null };
  return email?.toLowerCase() === item.email?.toLowerCase() ? item : { ...item, email: undefined };
}

export interface Update<Patch> {
  /** Public. */
  id: string;
  /** The version that the row must have. */
  version?: number;
  patch: Patch;
}

/** Changes rows. The patches are valid bodies of a request that changes one. */
export function updateMany<T extends Types>(
  rules: Rules<T>,
  items: readonly (Update<T['patch']> | Problem)[],
  context: Writer,
): Promise<Outcome<T['row']>[]> {
  const { prefix } = rules.resource;
  const patched = (before: T['row'], patch: T['patch'], references: T['references'], declared: Declared) => {
    try {
      return rules.patch(before, withTypes(declared, patch, before), references);
    } catch (error) {
      throw error instanceof Problem ? problemAt('patch', error) : error;
    }
  };
  const writes = items.map((item): Write<T> | Problem => {
    if (item instanceof Problem) return item;
    const { id, version } = item;
    const patch = readFields(item.patch);
    const uuid = toUuid(prefix, id);
    if (uuid === undefined) return unknownId(prefix, id);
    return {
      id: uuid,
      fields: patch,
      at: 'patch',
      plan(rows, references, declared) {
        const before = rows.find('id', uuid);
        if (before === undefined) {
          const merge = rows.findMerge('id', uuid);
          throw merge === undefined ? unknownId(prefix, id) : merged(prefix, id, merge, 'id');
        }
        if (version !== undefined && version !== before.version)
          throw anotherVersion(before.version, version);
        return { before, changes: patched(before, patch, references, declared) };
      },
    };
  });
  return writeMany(rules, writes, true, context);
}

/** The 404 of a single request, in an item. */
function unknownId(prefix: string, id: string): Problem {
  return new Problem('not_found', `The ${prefix} ${id} does not exist.`, {
    details: { errors: { id: ['does not exist'] } },
  });
}

/** The 412 of a single request, in an item. */
function anotherVersion(version: number, expected: number): Problem {
  const { code, message } = versionMismatch(version, expected);
  return new Problem(code, message, {
    details: { errors: { version: [`is not the current version, which is ${version}`] } },
  });
}
