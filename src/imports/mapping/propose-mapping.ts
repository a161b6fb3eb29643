import type { Declared } from '../../metadata/declared.ts';
import type { Schema } from '../../operation.ts';
import { plainName } from '../../spellings/known-names.ts';
import { type Column, readColumns } from './column.ts';
import { isExpanded } from './expanded.ts';
import { isField } from './fields.ts';
import { isOwnExport, metadataKey } from './hints.ts';
import { toMapping } from './mapping.ts';
import { settleNames } from './name-columns.ts';

type Mapping = Schema<'ImportMapping'>;

type Resource = Schema<'ImportResource'>;

/** The start of a file. */
export interface FileStart {
  columns: readonly string[];
  /** The cells of the first rows. */
  sample: readonly (readonly unknown[])[];
  hasHeader: boolean;
}

/** The columns of a file, and what they mean. */
interface Understood {
  columns: readonly Column[];
  /** Whether the file is an export of this service. Its columns are called like their fields, and are in no doubt. */
  isOwnExport: boolean;
}

/** Fields that several columns can give: all of them, or the first that is filled. */
const shared: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'tags',
  'name.first',
  'name.middle',
  'name.last',
]);
/** Fields that are not proposed for columns of these names: they need a decision. */
const onlyHinted: ReadonlySet<string> = new Set(['name.prefix', 'note', 'assigned_user_email', 'created_at']);

/** Finds out what each column means: by its name, or without a clear one by its cells. */
export async function understand(
  resource: Resource,
  { columns: names, sample, hasHeader }: FileStart,
  declared: Declared,
): Promise<Understood> {
  const columns = await readColumns(resource, names, sample, hasHeader);
  if (hasHeader) nameDeclared(resource, columns, declared);
  const isOwn = isOwnExport(columns);
  for (const column of columns) {
    if (!isExpanded(column, names, isOwn)) continue;
    Object.assign(column, { meaning: undefined, isDoubtful: false, isExpanded: true });
  }
  settleNames(columns);
  nameCurrencies(columns);
  for (const column of isOwn ? columns : []) {
    if (!isField(resource, column.name)) continue;
    column.meaning = column.name;
    column.isDoubtful = false;
  }
  return { columns, isOwnExport: isOwn };
}

/** A column that is called like a declared key, or like its label, gives that key, unless its name is clearly that of a field. */
function nameDeclared(resource: Resource, columns: readonly Column[], declared: Declared): void {
  const keys = new Map<string, string>();
  for (const { key, label, status } of declared.values()) {
    if (status === 'archived') continue;
    for (const name of [`metadata.${key}`, key, label ?? key]) keys.set(plainName(name), `metadata.${key}`);
  }
  for (const column of columns) {
    const meaning = keys.get(plainName(column.name));
    const field = fieldOf(resource, column);
    const isClear = field !== undefined && !field.startsWith('metadata.') && !column.isDoubtful;
    if (meaning === undefined || isClear) continue;
    column.meaning = meaning;
    column.isDoubtful = false;
  }
}

/** `opportunityAmountCurrency` is the currency of `opportunityAmount`. */
function nameCurrencies(columns: readonly Column[]): void {
  const amounts = columns
    .filter(({ meaning }) => meaning === 'value.amount')
    .map(({ name }) => plainName(name));
  for (const column of columns) {
    const [, amount] = /^(.+)currency$/.exec(plainName(column.name)) ?? [];
    if (column.meaning === undefined && amount !== undefined && amounts.includes(amount))
      column.meaning = 'value.currency';
  }
}

/** Proposes which field each column gives. */
export function proposeMapping(
  resource: Resource,
  columns: readonly Column[],
  match: Schema<'ImportMatch'>,
): Mapping {
  const fields = chooseFields(resource, columns, match);
  return toMapping(
    columns.map(({ name }) => name),
    (name) => fields.get(name),
  );
}

/**
 * The mapping after a client has decided about some columns. A field that it gives to one of them is no longer filled from a
 * column that only the service has chosen for it, unless several can give it.
 */
export function afterDecision(mapping: Mapping, given: Mapping, decided: readonly string[]): Mapping {
  const taken = new Set(Object.values(given));
  const own = new Set(decided);
  return toMapping(Object.keys(mapping), (column) => {
    const field = mapping[column];
    const yields = !own.has(column) && field && taken.has(field) && !shared.has(field);
    return yields ? null : field;
  });
}

/** The field of each column that has one. */
function chooseFields(
  resource: Resource,
  columns: readonly Column[],
  match: Schema<'ImportMatch'>,
): Map<string, string> {
  const candidates = new Map<string, Column[]>();
  for (const column of columns) {
    const field = fieldOf(resource, column);
    if (field === undefined) continue;
    const those = candidates.get(field);
    if (those === undefined) candidates.set(field, [column]);
    else those.push(column);
  }
  if (match === 'external_id' && !candidates.has('external_id')) {
    const ids = columns.filter(({ meaning, shapes }) => meaning === 'id' && shapes.filled > 0);
    if (ids.length > 0) candidates.set('external_id', ids);
  }
  // A deal has its dates.
  const created = columns.filter(({ meaning }) => meaning === 'created');
  if (candidates.has('deal_id') && created.length > 0) candidates.set('created_at', created);
  if (!candidates.has('value.amount')) candidates.delete('value.currency');
  const fields = new Map<string, string>();
  for (const [field, those] of candidates) {
    if (shared.has(field)) for (const { name } of those) fields.set(name, field);
    else for (const { name } of choose(field, those)) fields.set(name, field);
  }
  return fields;
}

/** What columns with other names give in a file of notes. */
const fieldsOfNotes: ReadonlyMap<string, string> = new Map([
  ['note', 'text'],
  ['email', 'lead_email'],
  ['owner', 'author_name'],
]);

function fieldOf(resource: Resource, { name, meaning }: Column): string | undefined {
  if (meaning === undefined) return undefined;
  if (resource === 'notes' && !isField(resource, meaning)) return fieldsOfNotes.get(meaning);
  const isAboutPeople = resource === 'leads' || resource === 'contacts';
  if (isAboutPeople && onlyHinted.has(meaning) && name !== meaning) return undefined;
  // Contacts have other ids in the environment that a file may come from.
  if (meaning === 'contact_id' && resource === 'leads') return undefined;
  // Leads have no job title of their own.
  if (meaning === 'title' && !isField(resource, meaning)) return 'metadata.title';
  // Nobody may write to people whose refusal got lost.
  if (meaning === 'opt-out') return isAboutPeople ? `metadata.${metadataKey(name)}` : undefined;
  return isField(resource, meaning) ? meaning : undefined;
}

/** The best column for the field, and another one that fills rows that it leaves empty. */
function choose(field: string, columns: readonly Column[]): Column[] {
  const rank = ({ name, known, isDoubtful }: Column) =>
    known?.isUnclear || isDoubtful ? 2 : name === field ? 0 : 1;
  const [best, ...others] = columns.toSorted(
    (a, b) => rank(a) - rank(b) || b.shapes.filled - a.shapes.filled,
  );
  if (best === undefined) return [];
  const fills = others.find((other) =>
    other.texts.some((text, row) => text !== undefined && best.texts[row] === undefined),
  );
  return fills === undefined ? [best] : [best, fills];
}
