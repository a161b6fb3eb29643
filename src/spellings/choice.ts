import { schemas } from '../../generated/limits.ts';
import type { Reading } from './reading.ts';
import { similarSource } from './source-words.ts';
import { statuses } from './status-words.ts';
import { collapseSpaces, isBlank, keyOf } from './text.ts';

type Status = (typeof schemas.LeadStatus.enum)[number];
type Source = (typeof schemas.LeadSource.enum)[number];

interface Choice<T> extends Reading<T> {
  /** The text as it was given, if it says more than the choice. */
  detail?: string;
}

/** Reads a status of this pipeline. Other systems' statuses are not translated: their meaning may differ. */
export function readStatus(text: string): Choice<Status> {
  if (isBlank(text)) return {};
  const key = wordsOf(text);
  const value = schemas.LeadStatus.enum.find((status) => status === key);
  if (value !== undefined) return { value };
  const similar = statuses.get(key);
  const hint = similar === undefined ? '' : ` To import it as ${similar}, translate it with values.`;
  return {
    detail: collapseSpaces(text),
    warning: `The status must be one of ${schemas.LeadStatus.enum.join(', ')}.${hint}`,
  };
}

/** Reads a source: one of ours, or the one that means the same as another system's. */
export function readSource(text: string): Choice<Source> {
  if (isBlank(text)) return {};
  const key = wordsOf(text);
  const own = schemas.LeadSource.enum.find((source) => source === key);
  if (own !== undefined) return { value: own };
  const detail = collapseSpaces(text);
  const value = similarSource(key);
  if (value === undefined) {
    return { detail, warning: `The source must be one of ${schemas.LeadSource.enum.join(', ')}.` };
  }
  return { value, detail, warning: `The source was read as ${value}.` };
}

/** Longer texts are no choices. */
const MAX_LENGTH = 200;

/** Words in lower case, without accents, punctuation and underscores. */
function wordsOf(text: string): string {
  return keyOf(text.slice(0, MAX_LENGTH))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const YES = /^(?:true|yes|y|1|x|active|ja|oui|si|sim|tak|kylla|on)$/;
const NO = /^(?:false|no|n|0|inactive|nein|non|nao|nee|nie|nej|ei|off)$/;

export function readYesNo(text: string): Reading<boolean> {
  if (isBlank(text)) return {};
  const key = wordsOf(text);
  if (YES.test(key)) return { value: true };
  return NO.test(key) ? { value: false } : { warning: 'This is neither yes nor no.' };
}

/** One of a field's values, in upper or lower case. */
export function readWord(text: string, choices: readonly string[]): Reading<string> {
  if (isBlank(text)) return {};
  const key = wordsOf(text);
  return choices.includes(key) ? { value: key } : { warning: `This must be one of ${choices.join(', ')}.` };
}

/** A whole number, such as seconds. */
export function readCount(text: string): Reading<number> {
  if (isBlank(text)) return {};
  return /^\s*\d{1,9}\s*$/.test(text) ? { value: Number(text) } : { warning: 'This is not a whole number.' };
}
