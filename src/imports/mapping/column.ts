import type { Schema } from '../../operation.ts';
import { mapInSlices } from '../../values/slices.ts';
import { fieldsOf, isField } from './fields.ts';
import { type KnownName, plainName, readName } from './known-names.ts';
import { type Shapes, shapesOf, share, textOf } from './shapes.ts';

/** A column of the file, and what its name and its cells say. */
export interface Column {
  name: string;
  index: number;
  known: KnownName | undefined;
  shapes: Shapes;
  /** The text of the cell in each row of the sample, if it is filled. */
  texts: readonly (string | undefined)[];
  /** A field, a word of column-names/meanings.ts, or undefined. */
  meaning: string | undefined;
  /** Neither the name nor the cells decide. */
  isDoubtful: boolean;
}

type Resource = Schema<'ImportResource'>;

/** Whose address or name it is: not the person's. */
const OF_SOMEONE_ELSE =
  /owner|assigned|assignee|createdby|modifiedby|updatedby|addedby|salesrep|salesperson|accountmanager|manager|assistant|referredby|referrer|spouse|besitzer|bearbeiter|betreuer|verantwortlich|zustandig|vertrieb|proprietaire|responsable|commercial|propietario|vendedor|asignado|proprietario|responsabile|assegnato|responsavel|eigenaar|verantwoordelijk|wlasciciel|opiekun|handlowiec|agare|ansvarig|saljare|sahibi|sorumlu|temsilci|owneremail|担当営業|所有者/u;

/** Words that say in a longer name, such as that of a form's question, what it is. */
const EMAIL_WORD = /e?mail|correo|courriel|epost|eposta|メール/u;
const PHONE_WORD = /phone|telefon|telephon|mobil|handy|celular|cellulare|portable|komork|電話/u;
const COMPANY_WORD =
  /company|organi[sz]ation|firma|unternehmen|entreprise|societe|empresa|azienda|bedrijf|foretag|sirket/u;
const NOT_A_COMPANY =
  /size|site|web|url|domain|many|industr|type|revenue|employ|id$|phone|mail|address|role|position/u;
const NOT_A_PHONE = /fax|pager|telex|assist|type|label|provider|model/u;

export function readColumns(
  resource: Resource,
  names: readonly string[],
  sample: readonly (readonly unknown[])[],
  hasHeader: boolean,
): Promise<Column[]> {
  return mapInSlices(names.entries(), ([index, name]) => {
    const cells = sample.map((row) => row[index]);
    const shapes = shapesOf(cells);
    const known = hasHeader ? readName(name) : undefined;
    const { meaning, isDoubtful = false } = hasHeader
      ? meaningOf(resource, name, known, shapes)
      : { meaning: meaningOfCells(shapes) };
    return { name, index, known, shapes, texts: cells.map(textOf), meaning, isDoubtful };
  });
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
  if (share(shapes, 'email') >= 0.5 && !isOther && mayBeEmail(known?.meaning)) return { meaning: 'email' };
  const meaning = isOwn ? name : known?.meaning;
  if (meaning === undefined) return { meaning: byWords(name, isOther, shapes) };
  return judge(meaning, known?.isAmbiguous === true, shapes);
}

/** Whether a column full of addresses is the email, whatever it is called. */
function mayBeEmail(meaning: string | undefined): boolean {
  return meaning === undefined || /^(?:name|email|phone|company|id|other)(?:\.|$)/.test(meaning);
}

/** A longer name counts only together with the cells. */
function byWords(name: string, isOther: boolean, shapes: Shapes): string | undefined {
  const plain = plainName(name);
  if (isOther) return plain.includes('owner') ? 'owner' : undefined;
  if (EMAIL_WORD.test(plain) && share(shapes, 'email') > 0) return 'email';
  // A form's question, such as `What is your company?`.
  const isQuestion = name.trimEnd().endsWith('?') && share(shapes, 'yesOrNo') < 0.5;
  if (isQuestion && COMPANY_WORD.test(plain) && !NOT_A_COMPANY.test(plain)) return 'company';
  if (NOT_A_PHONE.test(plain)) return undefined;
  if (PHONE_WORD.test(plain) && share(shapes, 'digits') >= 0.5) return 'phone';
  return share(shapes, 'phone') >= 0.8 && share(shapes, 'date') < 0.2 ? 'phone' : undefined;
}

/** Whether the cells agree with the name. */
function judge(meaning: string, isAmbiguous: boolean, shapes: Shapes): Meaning {
  if (shapes.filled === 0) return { meaning: isAmbiguous && meaning !== 'title' ? undefined : meaning };
  const has = (shape: Parameters<typeof share>[1]) => share(shapes, shape);
  const isFlag = has('yesOrNo') >= 0.8;
  const isLink = has('url') >= 0.5;
  switch (meaning) {
    case 'email':
      return {
        meaning: isFlag || isLink || has('date') >= 0.8 || has('digits') >= 0.8 ? undefined : meaning,
      };
    case 'phone':
      return { meaning: isFlag || isLink || has('word') >= 0.8 || has('date') >= 0.8 ? undefined : meaning };
    case 'name':
      return isAmbiguous ? judgeName(shapes) : { meaning: has('phone') >= 0.8 ? 'phone' : meaning };
    case 'company':
      return { meaning: isFlag || isLink ? undefined : meaning };
    case 'title':
      return { meaning: has('titleOfAddress') >= 0.5 ? 'name.prefix' : meaning };
    case 'value.amount':
      return { meaning: has('amount') >= (isAmbiguous ? 0.8 : 0.5) ? meaning : undefined };
    case 'value.currency':
      return { meaning: has('currency') >= 0.5 ? meaning : undefined };
    case 'value':
      return { meaning: has('object') >= 0.5 ? meaning : has('amount') >= 0.8 ? 'value.amount' : undefined };
    case 'expected_close_on':
      return { meaning: has('date') >= 0.2 ? meaning : undefined };
    case 'status':
      if (has('subscription') >= 0.8) return { meaning: undefined };
      return { meaning: isFlag || isLink || has('date') >= 0.5 ? undefined : meaning };
    case 'source':
      return { meaning: isFlag || isLink || has('date') >= 0.5 ? undefined : meaning };
    default:
      return { meaning };
  }
}

/** Such as `Contact` and `Customer`: people, companies or phones. */
function judgeName(shapes: Shapes): Meaning {
  const has = (shape: Parameters<typeof share>[1]) => share(shapes, shape);
  if (has('phone') >= 0.5 || has('digits') >= 0.8) return { meaning: has('phone') > 0 ? 'phone' : 'id' };
  if (has('yesOrNo') >= 0.8 || has('url') >= 0.5 || has('date') >= 0.5) return { meaning: undefined };
  if (has('company') >= 0.3) return { meaning: 'company' };
  return { meaning: 'name', isDoubtful: has('person') < 0.8 };
}

/** Of a file without column names. */
function meaningOfCells(shapes: Shapes): string | undefined {
  const has = (shape: Parameters<typeof share>[1]) => share(shapes, shape);
  if (has('email') >= 0.5) return 'email';
  if (has('date') >= 0.5 || has('url') >= 0.5 || has('yesOrNo') >= 0.8) return undefined;
  if (has('phone') >= 0.5) return 'phone';
  if (has('titleOfAddress') >= 0.5) return 'name.prefix';
  if (has('company') >= 0.3) return 'company';
  if (has('person') >= 0.5) return 'name';
  return has('word') >= 0.5 ? 'word' : undefined;
}
