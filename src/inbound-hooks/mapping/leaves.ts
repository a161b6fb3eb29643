import { isObject } from '../../values/exact-json.ts';
import { firstCharacters } from '../../values/text.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow } from '../tables.ts';
import { toText } from './evaluate-rule.ts';

/** Proof that a form was sent by a person. It says nothing about the person. */
const CAPTCHA = /^(?:_charset_|g-recaptcha-response|h-captcha-response|cf-turnstile-response)$/;

/** Values that are looked at. The text of the note is limited, too. */
const MAX_VALUES = 200;
const MAX_DEPTH = 5;
/** Characters of a name that are kept, and of a pointer that is followed: each leaf repeats the names of its objects. */
export const MAX_NAME = 200;
const MAX_POINTER = 1_000;

/** A text, a number or a list in a payload. */
export interface Leaf {
  /** The names on the way to it, from the outside. */
  names: readonly string[];
  /** Its JSON Pointer (RFC 6901). */
  pointer: string;
  text: string;
}

/** What a payload says, without what is empty, what only a bot fills in, and what `pointers` lead to. */
export function leavesOf(
  { honeypot }: Pick<InboundHookRow, 'honeypot'>,
  { payload }: Read,
  pointers: readonly string[],
): Leaf[] {
  const leaves: Leaf[] = [];
  const isLeftOut = (pointer: string) =>
    pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`));
  const enter = (name: string, value: unknown, names: readonly string[], pointer: string): void =>
    visit(value, [...names, firstCharacters(name, MAX_NAME)], `${pointer}/${escapeName(name)}`);
  const visit = (value: unknown, names: readonly string[], pointer: string): void => {
    const isShort = names.length < MAX_DEPTH && pointer.length <= MAX_POINTER;
    if (isObject(value) && !Array.isArray(value) && isShort) {
      for (const [name, member] of Object.entries(value)) enter(name, member, names, pointer);
      return;
    }
    const text = toText(value);
    if (text !== '' && leaves.length < MAX_VALUES && !isLeftOut(pointer))
      leaves.push({ names, pointer, text });
  };
  for (const [name, value] of Object.entries(payload)) {
    if (name !== honeypot && !CAPTCHA.test(name)) enter(name, value, [], '');
  }
  return leaves;
}

/** As JSON Pointers write a name (RFC 6901). */
function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
