import { schemas } from '../../../generated/limits.ts';
import { labelOf } from '../../spellings/text.ts';
import { firstCharacters, storable } from '../../values/text.ts';

/** A text for the note about the lead: a field of the lead, and what it could not take. */
export interface Leftover {
  field: string;
  text: string;
}

const { maxLength: MAX_LENGTH } = schemas.NoteText;
/** Characters of leftovers together, and of one. */
const MAX_LEFTOVERS = 4_000;
const MAX_LEFTOVER = 1_000;

interface NoteText {
  text: string;
  isCut: boolean;
}

/** The text of the note: the sender's message, then a line for each leftover. Undefined if there is nothing to note. */
export function composeNote(message: string, leftovers: readonly Leftover[]): NoteText | undefined {
  const lines = leftovers
    .map(({ field, text }) => `${labelOf(field)}: ${firstCharacters(text, MAX_LEFTOVER)}`)
    .join('\n');
  const rest = firstCharacters(lines, MAX_LEFTOVERS);
  const room = rest === '' ? MAX_LENGTH : MAX_LENGTH - Array.from(rest).length - 2;
  const beginning = firstCharacters(message, room);
  const text = storable([beginning, rest].filter((part) => part !== '').join('\n\n'));
  // As the contract demands of a note: a visible character.
  return /[^\p{C}\p{Z}]/u.test(text) ? { text, isCut: beginning !== message } : undefined;
}
