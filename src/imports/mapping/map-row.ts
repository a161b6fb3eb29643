import { schemas } from '../../../generated/limits.ts';
import type { Declared } from '../../metadata/declared.ts';
import { inContractForm } from '../../spellings/contract-form.ts';
import { readCountry } from '../../spellings/country.ts';
import type { FieldOptions, GivenField, Warning } from '../../spellings/given.ts';
import { readGivenAmount } from '../../spellings/given-amount.ts';
import { plainName, readName } from '../../spellings/known-names.ts';
import { readFields } from '../../spellings/read-fields.ts';
import { collapseSpaces, isBlank } from '../../spellings/text.ts';
import { rearm } from '../../table-files/disarmed.ts';
import type { FileRow } from '../../table-files/stored-row.ts';
import { ExactNumber, isObject } from '../../values/exact-json.ts';
import { firstCharacters } from '../../values/text.ts';
import type { ImportOptions } from '../tables.ts';
import { createDefaults } from './defaults.ts';
import type { Style } from './styles.ts';

type Options = Pick<ImportOptions, 'resource' | 'format' | 'columns' | 'mapping' | 'defaults'> &
  Pick<ImportOptions, 'values' | 'locale' | 'default_country'> & {
    findings: Pick<ImportOptions['findings'], 'styles' | 'isOwnExport'>;
  };

/** A value that was left out, or with another `code` something else that a person should know. */
export interface RowWarning {
  field: string | null;
  column: string | null;
  message: string;
  code?: string;
}

interface MappedRow {
  /** The body that a single request would have. */
  body: Record<string, unknown>;
  /** The text of a note about the lead or contact. */
  note: string | undefined;
  warnings: RowWarning[];
}

type MapRow = (row: FileRow) => MappedRow;

/** A column that gives a field. */
interface Target extends Style {
  field: string;
  column: string;
  index: number;
}

interface GivenCell extends GivenField {
  column: string;
}

const CURRENCY = 'value.currency';

/** Returns a function that maps this import's rows. Required fields that can't be read stay as they are: validation comes later. */
export function createMapRow(options: Options, declared: Declared): MapRow {
  const { format, columns, mapping, findings } = options;
  const fieldOptions = { ...toFieldOptions(options), declared };
  const targets = columns.flatMap((column, index): Target[] => {
    const field = mapping[column];
    return field === null || field === undefined
      ? []
      : [{ ...findings.styles?.[column], field, column, index }];
  });
  const joinsNames = targets.filter(({ field }) => field === 'name').length > 1;
  const toValue =
    format === 'csv'
      ? (cell: unknown) => (typeof cell === 'string' ? rearm(cell) : cell)
      : (cell: unknown) => cell;
  const defaults = createDefaults(options.defaults, fieldOptions);
  const isOwn = (column: string, field: string) =>
    findings.isOwnExport === true && column === field && options.values[field] === undefined;
  const statusIndex = columns.indexOf('status');
  const countryIndex = columns.findIndex((column) => readName(column)?.meaning === 'country');
  return ({ cells }) => {
    const given: GivenCell[] = [];
    const own: Record<string, unknown> = {};
    for (const { index, ...target } of targets) {
      const value = toValue(cells[index]);
      if (value === undefined || value === null || value === '') continue;
      const { column, field } = target;
      const form = isOwn(column, field) ? inContractForm(field, value) : undefined;
      // Somebody may have edited the status, but not the reason that only a lost lead has.
      const isRead = form === undefined || (field === 'lost_reason' && cells[statusIndex] !== 'lost');
      if (isRead) given.push({ ...target, value });
      else if (form instanceof ExactNumber) given.push({ ...target, value: form });
      else if (field === 'metadata' && isObject(form))
        given.push(...typedEntries(target, form, declared, own));
      else own[field] = form;
    }
    const fields: GivenField[] = withoutWhole(joinsNames ? joinNames(given) : given);
    if (defaults.currency !== undefined && needsCurrency(given, fieldOptions.locale)) {
      fields.push({ field: CURRENCY, value: defaults.currency });
    }
    const rowCountry = countryIn(cells[countryIndex]);
    const { body, warnings } = readFields(fields, { ...fieldOptions, rowCountry });
    Object.assign(
      body,
      own,
      isObject(own.metadata) && { metadata: { ...Object(body.metadata), ...own.metadata } },
    );
    defaults.fill(body, fields);
    const rowWarnings = warnings.map((warning) => toRowWarning(warning, given));
    return { body, note: takeNote(body, rowWarnings), warnings: rowWarnings };
  };
}

/** The declared keys, to be read by their types. The others are as they are, in `own`. */
function typedEntries(
  target: Omit<GivenCell, 'value'>,
  metadata: object,
  declared: Declared,
  own: Record<string, unknown>,
): GivenCell[] {
  const entries = Object.entries(metadata);
  own.metadata = Object.fromEntries(entries.filter(([key]) => !declared.has(key)));
  return entries
    .filter(([key]) => declared.has(key))
    .map(([key, value]) => ({ ...target, field: `metadata.${key}`, value }));
}

export function toFieldOptions(
  options: Pick<ImportOptions, 'resource' | 'values' | 'locale' | 'default_country'>,
): FieldOptions {
  return {
    resource: options.resource,
    country: options.default_country ?? undefined,
    locale: options.locale ?? undefined,
    values: options.values,
  };
}

function countryIn(cell: unknown): string | undefined {
  return typeof cell === 'string' ? readCountry(cell) : undefined;
}

/** Whether an amount has no currency, neither in a column nor beside it. */
function needsCurrency(given: readonly GivenCell[], locale: string | undefined): boolean {
  const isOf = (field: string) => (cell: GivenCell) => cell.field === field && !isBlank(String(cell.value));
  if (given.some(isOf(CURRENCY))) return false;
  const amounts = given.filter(isOf('value.amount'));
  return (
    amounts.length > 0 &&
    amounts.every(
      (given) => given.currency === undefined && readGivenAmount(given, locale).currency === undefined,
    )
  );
}

/** Columns that a client maps to `name` are joined in the order of the file. What repeats is left out. */
function joinNames(given: readonly GivenCell[]): GivenField[] {
  let name = '';
  for (const { field, value } of given) {
    const text = field === 'name' ? collapseSpaces(String(value)) : '';
    if (isBlank(text) || plainName(name).includes(plainName(text))) continue;
    name = plainName(text).includes(plainName(name)) ? text : `${name} ${text}`;
  }
  return [{ field: 'name', value: name }, ...given.filter(({ field }) => field !== 'name')];
}

/** The whole name beside a first and a last name may have a form of address. */
function withoutWhole(given: GivenField[]): GivenField[] {
  const has = (field: string) => given.some((each) => each.field === field && !isBlank(String(each.value)));
  return has('name.first') && has('name.last') ? given.filter(({ field }) => field !== 'name') : given;
}

const { maxLength: MAX_NOTE } = schemas.NoteText;

/** Takes the note out of the body, since it is a resource of its own. */
function takeNote(body: Record<string, unknown>, warnings: RowWarning[]): string | undefined {
  const { note } = body;
  delete body.note;
  if (typeof note !== 'string') return undefined;
  const text = firstCharacters(note, MAX_NOTE);
  if (text !== note) {
    const message = `A note has at most ${MAX_NOTE.toLocaleString('en')} characters. The rest was left out.`;
    warnings.push({ field: 'note', column: null, message });
  }
  return text;
}

/** With the column whose cell the warning is about. */
function toRowWarning({ field, message, value }: Warning, given: readonly GivenCell[]): RowWarning {
  const cells = given.filter((cell) => cell.field === field || cell.field.startsWith(`${field}.`));
  const cell = cells.find((each) => collapseSpaces(String(each.value)) === collapseSpaces(value)) ?? cells[0];
  return { field, column: cell?.column ?? null, message };
}
