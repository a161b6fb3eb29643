import { schemas } from '../../../generated/limits.ts';
import type { Warning } from '../../spellings/read-fields.ts';
import { isObject } from '../../values/exact-json.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow, Mapping } from '../tables.ts';
import { toText } from './evaluate-rule.ts';

const DEFAULT: object = schemas.CreateInboundHook.mapping.default;

/** Parameters by which ads and campaigns are recognized. */
const CAMPAIGN = /^(?:utm_[a-z_]{1,30}|gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|li_fat_id)$/;
/** Proof that a form was sent by a person. It says nothing about the person. */
const CAPTCHA = /^(?:_charset_|g-recaptcha-response|h-captcha-response|cf-turnstile-response)$/;

/** Values that are looked at. The text of the note is limited, too. */
const MAX_VALUES = 200;
const MAX_DEPTH = 5;

interface Unmapped {
  /** Campaign parameters, which become metadata. */
  metadata: Record<string, string>;
  /** All other values, which become lines of the note. */
  warnings: Warning[];
}

/**
 * What a payload says that the default mapping has no field for, such as `telefon`. Nothing, if the hook has another mapping:
 * then somebody has decided what counts.
 */
export function findUnmapped(hook: Pick<InboundHookRow, 'mapping' | 'honeypot'>, read: Read): Unmapped {
  const found: Unmapped = { metadata: {}, warnings: [] };
  if (!extendsDefault(hook.mapping)) return found;
  const pointers = pointersIn(hook.mapping);
  const isMapped = (pointer: string) =>
    pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`));
  let left = MAX_VALUES;
  const visit = (value: unknown, names: readonly string[], pointer: string): void => {
    if (isObject(value) && !Array.isArray(value) && names.length < MAX_DEPTH) {
      for (const [name, member] of Object.entries(value))
        visit(member, [...names, name], `${pointer}/${escapeName(name)}`);
      return;
    }
    const text = toText(value);
    if (text === '' || isMapped(pointer) || left === 0) return;
    left -= 1;
    keep(found, names, text);
  };
  for (const [name, value] of Object.entries(read.payload)) {
    if (name !== hook.honeypot && !CAPTCHA.test(name)) visit(value, [name], `/${escapeName(name)}`);
  }
  return found;
}

function keep({ metadata, warnings }: Unmapped, names: readonly string[], text: string): void {
  const key = names.at(-1)?.toLowerCase() ?? '';
  if (CAMPAIGN.test(key)) metadata[key] = text;
  else warnings.push({ field: names.join('.'), message: NOT_MAPPED, value: text });
}

const NOT_MAPPED = 'The mapping has no field for this, so the note has it.';

/** Whether the mapping has all rules of the default one. */
function extendsDefault(mapping: Mapping): boolean {
  return Object.entries(DEFAULT).every(
    ([field, rule]) => JSON.stringify(mapping[field]) === JSON.stringify(rule),
  );
}

/** The JSON Pointers in a mapping. */
function pointersIn(mapping: Mapping): string[] {
  const found: string[] = [];
  JSON.stringify(mapping, (_, value) => {
    if (typeof value === 'string' && value.startsWith('/')) found.push(value);
    return value;
  });
  return found;
}

/** As JSON Pointers write a name (RFC 6901). */
function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
