import type { Schema } from '../../operation.ts';
import { type KnownName, plainName, readName } from '../../spellings/known-names.ts';
import { mapInSlices } from '../../values/slices.ts';
import { fieldsOf, isField } from './fields.ts';
import { type Shapes, shapesOf, share, textOf } from './shapes.ts';

/** A column of the file, and what its name and its cells say. */
export interface Column {
  name: string;
  index: number;
  known: KnownName | undefined;
  shapes: Shapes;
  /** The text of the cell in each row of the sample, if it is filled. */
  texts: readonly (string | undefined)[];
  /** A field, a word of known-names.ts, or undefined. */
  meaning: string | undefined;
  /** A person should look at what it means. */
  isDoubtful: boolean;
  /** It only repeats what an id names, as in an export with `expand`. */
  isExpanded: boolean;
}

type Resource = Schema<'ImportResource'>;

/** Words for columns about somebody else, such as the owner. */
const OF_SOMEONE_ELSE =
  /owner|assigned|assignee|createdby|modifiedby|updatedby|addedby|salesrep|salesperson|accountmanager|manager|assistant|referredby|referrer|spouse|besitzer|bearbeiter|betreuer|verantwortlich|zustandig|vertrieb|proprietaire|responsable|commercial|propietario|vendedor|asignado|proprietario|responsabile|assegnato|responsavel|eigenaar|verantwoordelijk|wlasciciel|opiekun|handlowiec|agare|ansvarig|saljare|sahibi|sorumlu|temsilci|owneremail|担当営業|所有者/u;

/** Numbers that nobody answers. */
const FAX = /fax|pager|telex/u;

export async function readColumns(
  resource: Resource,
  names: readonly string[],
  sample: readonly (readonly unknown[])[],
  hasHeader: boolean,
): Promise<Column[]> {
  const columns = await mapInSlices(names.entries(), ([index, name]): Column => {
    const cells = sample.map((row) => row[index]);
    const shapes = shapesOf(cells);
    const known = hasHeader ? readName(name) : undefined;
    const { meaning, isDoubtful = false } = hasHeader
      ? meaningOf(resource, name, known, shapes)
      : { meaning: undefined };
    return { name, index, known, shapes, texts: cells.map(textOf), meaning, isDoubtful, isExpanded: false };
  });
  if (!hasHeader) readCells(columns);
  return columns;
}

interface Meaning {
  meaning: string | undefined;
  isDoubtful?: boolean;
}

function meaningOf(resource: Resource, name: string, known: KnownName | undefined, shapes: Shapes): Meaning {
  const plain = plainName(name);
  const isOther = OF_SOMEONE_ELSE.test(plain);
  const isOwn = isField(resource, name);
  if (isOwn && known === undefined) return { meaning: name };
  // The table of names is about people.
  if (resource !== 'leads' && resource !== 'contacts') {
    const field = Object.keys(fieldsOf[resource]).find((each) => plainName(each) === plain);
    if (field !== undefined) return { meaning: field };
  }
  if (share(shapes, 'email') >= 0.5 && !isOther && mayBeEmail(known)) return { meaning: 'email' };
  const meaning = isOwn ? name : known?.meaning;
  if (meaning === undefined) return { meaning: byCells(name, isOther, shapes) };
  if (known?.isUnclear && arePhones(shapes)) return { meaning: 'phone' };
  if (meaning === 'value' && share(shapes, 'object') < 0.5) return { meaning: 'value.amount' };
  // Such as `Mrs` under `Title`.
  return { meaning, isDoubtful: meaning === 'title' && share(shapes, 'titleOfAddress') >= 0.5 };
}

/** Whether a column full of addresses is the email: its name is not clear. */
function mayBeEmail(known: KnownName | undefined): boolean {
  return known === undefined || known.isUnclear || known.meaning === 'id' || known.meaning === 'other';
}

/** Without a clear name, the cells decide only whether they are phones. Emails were found before. */
function byCells(name: string, isOther: boolean, shapes: Shapes): string | undefined {
  if (isOther) return plainName(name).includes('owner') ? 'owner' : undefined;
  if (FAX.test(plainName(name))) return undefined;
  return arePhones(shapes) ? 'phone' : undefined;
}

function arePhones(shapes: Shapes): boolean {
  return share(shapes, 'phone') >= 0.8 && share(shapes, 'date') < 0.2;
}

/** The columns of a file without names: emails, phones, and the first one with words, which is a guess at the name. */
function readCells(columns: Column[]): void {
  for (const column of columns) {
    if (share(column.shapes, 'email') >= 0.5) column.meaning = 'email';
    else if (arePhones(column.shapes)) column.meaning = 'phone';
  }
  const name = columns.find(({ meaning, shapes }) => meaning === undefined && share(shapes, 'words') >= 0.8);
  if (name !== undefined) name.meaning = 'name';
}
