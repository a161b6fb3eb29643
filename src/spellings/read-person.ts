import { schemas } from '../../generated/limits.ts';
import type { Draft } from './draft.ts';
import { distinctEmails, readEmails } from './email.ts';
import { kindOf } from './field-kinds.ts';
import { PHONE_EXTENSION, readPhone } from './phone.ts';
import { collapseSpaces } from './text.ts';

const NAME_PARTS = ['name.prefix', 'name.first', 'name.middle', 'name.last', 'name.suffix'];
/** The family name comes first, as in 山田 太郎 and 王 小明. */
const EASTERN_PARTS = ['name.prefix', 'name.last', 'name.middle', 'name.first', 'name.suffix'];
const EASTERN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー・\s]+$/u;
const MAX_OTHERS = schemas.OtherEmails.maxItems;

/** Reads name, email and phone. */
export function readPerson(draft: Draft): void {
  const addressName = readEmail(draft);
  const name = textOf(draft, 'name') ?? joinedName(draft) ?? addressName;
  if (name !== undefined && name !== '') draft.body.set('name', name);
  readPhones(draft);
}

function textOf(draft: Draft, field: string): string | undefined {
  const [first] = draft.textsOf(field);
  return first === undefined ? undefined : collapseSpaces(first.text);
}

function joinedName(draft: Draft): string | undefined {
  const isEastern = EASTERN.test(`${textOf(draft, 'name.last') ?? ''}${textOf(draft, 'name.first') ?? ''}`);
  const order = isEastern ? EASTERN_PARTS : NAME_PARTS;
  const parts = order.map((part) => textOf(draft, part)).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Reads the email address. Returns the name that stands before it. */
function readEmail(draft: Draft): string | undefined {
  const given = [...draft.textsOf('email'), ...draft.textsOf('other_emails')];
  const readings = given.map(({ text }) => ({ text, ...readEmails(text) }));
  const found = readings.flatMap(({ value, others }) => (value === undefined ? [] : [value, ...others]));
  const [first, ...more] = distinctEmails(found);
  if (first === undefined) {
    const { isRequired } = kindOf(draft.options.resource, 'email');
    // The validation says what is wrong with it.
    if (isRequired === true && given[0] !== undefined) draft.body.set('email', given[0].text);
    else warnOfUnread(draft, readings);
    return undefined;
  }
  warnOfUnread(draft, readings);
  draft.body.set('email', first);
  keepOthers(draft, more);
  return readings.find(({ value }) => value === first)?.name;
}

function warnOfUnread(
  draft: Draft,
  readings: readonly { text: string; value?: string; others: string[]; warning?: string }[],
): void {
  for (const { text, value, others, warning } of readings) {
    const isTold = value !== undefined && others.length > 0;
    if (warning !== undefined && !isTold) draft.warn('email', warning, text);
  }
}

function keepOthers(draft: Draft, others: readonly string[]): void {
  const isKept = draft.options.resource === 'leads' || draft.options.resource === 'contacts';
  const [kept, left] = isKept ? [others.slice(0, MAX_OTHERS), others.slice(MAX_OTHERS)] : [[], others];
  if (kept.length > 0) draft.body.set('other_emails', kept);
  if (left.length === 0) return;
  const message = isKept
    ? `Besides the email, there can be at most ${MAX_OTHERS} other addresses.`
    : 'There can be only one email address, so the first one was taken.';
  draft.warn('email', message, left.join(', '));
}

/** By the country of the row, if the number is valid there, else by that of all. */
function readIn(text: string, { country, rowCountry }: Draft['options']): ReturnType<typeof readPhone> {
  const own = rowCountry === undefined ? {} : readPhone(text, rowCountry);
  return own.value === undefined ? readPhone(text, country) : own;
}

function readPhones(draft: Draft): void {
  for (const { text } of draft.textsOf('phone')) {
    const { value, extension, warning } = readIn(text, draft.options);
    if (warning !== undefined) draft.warn('phone', warning, text);
    if (value === undefined) continue;
    draft.body.set('phone', value);
    if (extension !== undefined) draft.metadata.set(PHONE_EXTENSION, extension);
    return;
  }
}
