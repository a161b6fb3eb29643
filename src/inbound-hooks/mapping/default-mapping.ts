import { schemas } from '../../../generated/limits.ts';
import { plainName, readName } from '../../spellings/known-names.ts';
import { isObject } from '../../values/exact-json.ts';
import { resolvePointer } from '../../values/json-pointer.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow, Mapping } from '../tables.ts';
import { toText } from './evaluate-rule.ts';
import { type Leaf, leavesOf, MAX_NAME } from './leaves.ts';

const DEFAULT: object = schemas.CreateInboundHook.mapping.default;

const NAME_PARTS = ['name.prefix', 'name.first', 'name.middle', 'name.last', 'name.suffix'];
/** What senders say about themselves. Other fields, such as the status, need a rule of the mapping. */
const FOUND_BY_NAME = ['name', ...NAME_PARTS, 'email', 'phone', 'company', 'note'];
/** Fields that take only the first of several texts. Of emails, the others go to the metadata. The note has all messages. */
const TAKE_FIRST = ['name', ...NAME_PARTS, 'phone', 'company'];
/** How forms name what is in an object: `fields[phone]`. */
const IN_BRACKETS = /^[\w-]+(?:\[[\w-]+\])+$/;
/** Objects that don't say whose data they hold. */
const WRAPPER =
  /^(?:data|payload|body|form|form_?data|form_?fields|fields|answers|values|submission|entry)$/i;

/** Whether the mapping has all rules of the default one. */
export function extendsDefault(mapping: Mapping): boolean {
  return Object.entries(DEFAULT).every(
    ([field, rule]) => JSON.stringify(mapping[field]) === JSON.stringify(rule),
  );
}

/**
 * The hook's mapping. Where the rules of the default one find nothing for a field, what has a clear name in some language is
 * the field, such as `telefon` or `contact.vorname`.
 */
export function mappingFor(hook: Pick<InboundHookRow, 'mapping' | 'honeypot'>, read: Read): Mapping {
  const { mapping } = hook;
  if (!extendsDefault(mapping)) return mapping;
  const named: Record<string, string> = {};
  for (const leaf of leavesOf(hook, read, pointersIn(mapping))) {
    const field = fieldOf(leaf);
    if (field !== undefined && firstText(mapping[field], read) === '') named[field] ??= leaf.pointer;
  }
  const rules = Object.entries(named).map(([field, pointer]) => [
    field,
    [mapping[field] ?? [], pointer].flat(),
  ]);
  return withSettledName({ ...mapping, ...Object.fromEntries(rules) }, read);
}

/** Beside only a first name, a name that doesn't repeat it is the last name, and the reverse. */
function withSettledName(mapping: Mapping, read: Read): Mapping {
  const { name: rule, ...others } = mapping;
  const [whole, first, last] = ['name', 'name.first', 'name.last'].map((field) =>
    firstText(mapping[field], read),
  );
  const part = first || last;
  const isMissing = rule !== undefined && whole && part && !(first && last) && !repeats(whole, part);
  return isMissing ? { ...others, [first ? 'name.last' : 'name.first']: rule } : mapping;
}

function repeats(whole: string, part: string): boolean {
  return plainName(whole).includes(plainName(part));
}

/** The field that a clear name means. */
function fieldOf({ names }: Leaf): string | undefined {
  const all = names.flatMap((name) => (IN_BRACKETS.test(name) ? name.split(/[[\]]+/) : [name]));
  const first = all.findIndex((name) => !WRAPPER.test(name));
  const name = all.slice(first).join('.');
  if (first === -1 || name.length >= MAX_NAME) return undefined;
  const known = readName(name);
  return known?.isUnclear === false && FOUND_BY_NAME.includes(known.meaning) ? known.meaning : undefined;
}

/** The pointers of the mapping, without those to a name, a phone or a company that another text of the payload displaces. */
export function usedPointers(mapping: Mapping, read: Read): string[] {
  const name = firstText(mapping.name, read);
  return Object.entries(mapping).flatMap(([field, rule]) => {
    const pointers = pointersIn(rule);
    if (!TAKE_FIRST.includes(field)) return pointers;
    const taken = NAME_PARTS.includes(field) && name !== '' ? name : firstText(rule, read);
    return pointers.filter((pointer) => repeats(taken, textAt(pointer, read)));
  });
}

function firstText(rule: unknown, read: Read): string {
  const texts = pointersIn(rule).map((pointer) => textAt(pointer, read));
  return texts.find((text) => text !== '') ?? '';
}

/** The JSON Pointers in a part of a mapping. */
function pointersIn(part: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(part, (_, value) => {
    if (typeof value === 'string' && value.startsWith('/')) found.push(value);
    return value;
  });
  return found;
}

function textAt(pointer: string, { payload }: Read): string {
  const value = resolvePointer(pointer, payload);
  return isObject(value) && !Array.isArray(value) ? '' : toText(value);
}
