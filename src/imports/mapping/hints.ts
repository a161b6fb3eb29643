import type { Schema } from '../../operation.ts';
import { addressesIn } from '../../spellings/addresses-in.ts';
import { firstCharacters } from '../../values/text.ts';
import type { Column } from './column.ts';
import { isField } from './fields.ts';
import { share } from './shapes.ts';

const MAX_HINT = 300;
const MAX_KEY = 40;

/** Columns that this service writes to its exports, but never reads. */
const readOnly: ReadonlySet<string> = new Set(['id', 'version', 'created_at', 'updated_at']);

interface Mapped {
  /** The first column of each field. */
  columnOf: ReadonlyMap<string, string>;
  isOwnExport: boolean;
}

/** What could be done with a column that no field is filled from. Null if there is nothing to do. */
export function hintOf(
  resource: Schema<'ImportResource'>,
  column: Column,
  { columnOf, isOwnExport }: Mapped,
): string | null {
  const { name, shapes } = column;
  if (isOwnExport && readOnly.has(name)) return null;
  if (shapes.filled === 0) return 'It is empty in the first rows.';
  const key = metadataKey(name);
  const keep = key === '' || !isField(resource, 'metadata') ? null : `To keep it, map it to metadata.${key}.`;
  const asField = fieldHint(resource, column, columnOf);
  const hint = asField === undefined ? keep : asField;
  return hint === null ? null : firstCharacters(hint, MAX_HINT);
}

/** Whether the file is an export of this service, by its ids. */
export function isOwnExport(columns: readonly Column[]): boolean {
  const ids = columns.find(({ name }) => name === 'id')?.texts.filter((text) => text !== undefined) ?? [];
  return (
    ids.length > 0 && ids.every((id) => /^(?:lead|contact|user|content|note)_[0-7][0-9a-z]{25}$/.test(id))
  );
}

function fieldHint(
  resource: Schema<'ImportResource'>,
  { name, meaning, shapes }: Column,
  columnOf: ReadonlyMap<string, string>,
): string | undefined {
  const other = meaning === undefined ? undefined : columnOf.get(meaning);
  const key = metadataKey(name);
  switch (meaning) {
    case 'note':
      return isField(resource, 'note') ? 'To keep it as a note, map it to note.' : undefined;
    case 'name.prefix':
      return 'To put it before the name, map it to name.prefix.';
    case 'country':
      return `It says where phone numbers without a country code are from. To keep it, map it to metadata.${key}.`;
    case 'campaign':
      return isField(resource, 'source_detail')
        ? 'To keep it as the detail of the source, map it to source_detail.'
        : undefined;
    case 'contact_id':
      return isField(resource, 'contact_id')
        ? 'To link the leads to these contacts, if they exist here, map it to contact_id.'
        : undefined;
    case 'id':
      return other === undefined
        ? 'To find the same records again by this id, map it to external_id.'
        : undefined;
    case 'owner': {
      const field = share(shapes, 'email') >= 0.5 ? 'assigned_user_email' : 'assigned_user_name';
      const first = field === 'assigned_user_name' ? ' Create users who are not here yet first.' : '';
      return isField(resource, field)
        ? `To assign the records to these users, map it to ${field}.${first}`
        : undefined;
    }
    case 'created':
      return isField(resource, 'created_at')
        ? 'To keep when the records were created, map it to created_at, which needs the scope admin.'
        : undefined;
    case 'value.currency':
      return columnOf.has('value.amount')
        ? 'To give the amounts their currency, map it to value.currency.'
        : 'A currency needs an amount: map another column to value.amount, and this one to value.currency.';
    default:
      if (other !== undefined && meaning !== undefined)
        return `The column ${other} gives the ${meaning} already. To keep this one too, map it to metadata.${key}.`;
      return undefined;
  }
}

/** `Budget [EUR]` becomes budget_eur. Empty for a person's address, which no erasure would find in a key. */
export function metadataKey(column: string): string {
  if (addressesIn(column).next().done !== true) return '';
  const key = column
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
  return firstCharacters(key, MAX_KEY).replace(/_$/, '');
}
