import { plainText } from '../../spellings/text.ts';
import { type Condition, condition } from './condition.ts';

/** Rows whose text has all words of the search. */
export function searchWords(search: string): Condition {
  return condition('search @@ search_query(?)', search);
}

/** Rows whose text has all words, or that have the phone number in the search, and the words beside it. */
export function searchWithPhone(search: string): Condition {
  const phone = phoneIn(plainText(search));
  if (phone === undefined) return searchWords(search);
  // In a subquery, search_query() runs once, and not for each row with one of many people's number.
  const hasWords = 'search @@ (select search_query(?))';
  const isNumber = 'right(phone, 7) = ? and phone like ?';
  const values = [phone.digits.slice(-7), `%${phone.digits}`];
  if (!/[\p{L}\p{N}]/u.test(phone.rest)) {
    return condition(`(${hasWords} or (${isNumber}))`, search, ...values);
  }
  // IS TRUE keeps the planner from reading all rows with these words from the index: few have the number.
  const withRest = `(${hasWords} or (${isNumber} and (${hasWords}) is true))`;
  return condition(withRest, search, ...values, phone.rest);
}

/** Digits with the separators of phone numbers, neither beside a letter nor part of an email address. */
const NUMBER = /(?<![\p{L}\p{N}.@_-])[+(]{0,2}\d[\d\s().\-/_]*\d(?![\p{L}\p{N}@_])/gu;
/** What a number may begin with instead of its country code. */
const PREFIX = /^(?:011(?=\d{8})|0+)/;
const MIN_DIGITS = 7;
const MAX_DIGITS = 20;

/**
 * The first phone number in a search, without the zeros or 011 before its country or area code: what stored numbers end with.
 * `rest` is the search without it.
 */
function phoneIn(search: string): { digits: string; rest: string } | undefined {
  for (const [text] of search.matchAll(NUMBER)) {
    const digits = text
      .replace(/\(\s*0\s*\)/, '')
      .replaceAll(/\D/g, '')
      .replace(PREFIX, '');
    if (digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS) {
      return { digits, rest: search.replace(text, ' ') };
    }
  }
  return undefined;
}
