import type { Schema } from '../../operation.ts';
import type { Remark } from '../file/fault.ts';
import { type Column, readColumns } from './column.ts';
import { doubtsOf } from './doubts.ts';
import { isField } from './fields.ts';
import { hintOf, isOwnExport } from './hints.ts';
import { toMapping } from './mapping.ts';
import { guessName, nameWords, settleNames } from './name-columns.ts';
import type { ProposalOptions } from './proposal-options.ts';

type Mapping = Schema<'ImportMapping'>;

interface File {
  resource: Schema<'ImportResource'>;
  columns: readonly string[];
  /** The cells of the first rows. */
  sample: readonly (readonly unknown[])[];
  hasHeader: boolean;
  options: ProposalOptions;
}

interface Proposal {
  mapping: Mapping;
  /** What a person should look at before the import starts. */
  doubts: Remark[];
  unused: Schema<'UnusedColumn'>[];
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
/** Fields that a second column can give where the first is empty. */
const filling: ReadonlySet<string> = new Set(['company', 'title', 'metadata.title']);

/** Fields that are not proposed for columns of these names: they need a decision. */
const onlyHinted: ReadonlySet<string> = new Set(['name.prefix', 'note', 'assigned_user_email', 'created_at']);

/** Proposes which field each column gives, by the column names and the cells together. */
export async function proposeMapping({
  resource,
  columns: names,
  sample,
  hasHeader,
  options,
}: File): Promise<Proposal> {
  const columns = await readColumns(resource, names, sample, hasHeader);
  const given = new Map(Object.entries(options.mapping ?? {}));
  const free = columns.filter(({ name }) => !given.has(name));
  const isOwn = isOwnExport(columns);
  if (!hasHeader) nameWords(free);
  guessName(free);
  settleNames(free);
  for (const column of isOwn ? free : []) {
    if (!isField(resource, column.name)) continue;
    column.meaning = column.name;
    column.isDoubtful = false;
  }
  const fields = chooseFields(resource, free, options, new Set(given.values()));
  const mapping = toMapping(names, (name) => (given.has(name) ? given.get(name) : fields.get(name)));
  const columnOf = new Map<string, string>();
  for (const [column, field] of Object.entries(mapping)) {
    if (field !== null && !columnOf.has(field)) columnOf.set(field, column);
  }
  const mapped = { columnOf, isOwnExport: isOwn };
  const unused = columns.filter(({ name }) => !mapping[name]);
  return {
    mapping,
    doubts: doubtsOf({ resource, columns, free, mapping, sample, hasHeader, isOwnExport: isOwn, options }),
    unused: unused.map((column) => ({ column: column.name, hint: hintOf(resource, column, mapped) })),
    isOwnExport: isOwn,
  };
}

/** The field of each column that has one. */
function chooseFields(
  resource: File['resource'],
  columns: readonly Column[],
  { match, defaults }: ProposalOptions,
  taken: ReadonlySet<string | null>,
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
  const hasAmount =
    candidates.has('value.amount') || taken.has('value.amount') || defaults?.['value.amount'] !== undefined;
  if (!hasAmount) candidates.delete('value.currency');
  const fields = new Map<string, string>();
  for (const [field, those] of candidates) {
    if (shared.has(field)) for (const { name } of those) fields.set(name, field);
    else if (!taken.has(field)) for (const { name } of choose(field, those)) fields.set(name, field);
  }
  return fields;
}

/** What columns with other names give in a file of notes. */
const fieldsOfNotes: ReadonlyMap<string, string> = new Map([
  ['note', 'text'],
  ['email', 'lead_email'],
  ['owner', 'author_name'],
]);

function fieldOf(resource: File['resource'], { name, meaning }: Column): string | undefined {
  if (meaning === undefined) return undefined;
  if (resource === 'notes' && !isField(resource, meaning)) return fieldsOfNotes.get(meaning);
  const isAboutPeople = resource === 'leads' || resource === 'contacts';
  if (isAboutPeople && onlyHinted.has(meaning) && name !== meaning) return undefined;
  // Contacts have other ids in the environment that a file may come from.
  if (meaning === 'contact_id' && resource === 'leads') return undefined;
  // Leads have no job title of their own.
  if (meaning === 'title' && !isField(resource, meaning)) return 'metadata.title';
  return isField(resource, meaning) ? meaning : undefined;
}

/** The best column for the field, and another one that fills rows that it leaves empty. */
function choose(field: string, columns: readonly Column[]): Column[] {
  const rank = ({ name, known }: Column) => (name === field ? 0 : known?.isAmbiguous ? 2 : 1);
  const [best, ...others] = columns.toSorted(
    (a, b) => rank(a) - rank(b) || b.shapes.filled - a.shapes.filled,
  );
  if (best === undefined) return [];
  if (!filling.has(field)) return [best];
  const fills = others.find((other) =>
    other.texts.some((text, row) => text !== undefined && best.texts[row] === undefined),
  );
  return fills === undefined ? [best] : [best, fills];
}
