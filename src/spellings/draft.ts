import { ExactNumber, isObject } from '../values/exact-json.ts';
import type { MetadataValue } from '../values/metadata-value.ts';
import { firstCharacters } from '../values/text.ts';
import { kindOf } from './field-kinds.ts';
import type { FieldOptions, GivenField, Warning } from './given.ts';
import { isBlank, labelOf, trimText } from './text.ts';
import { unwrap } from './unwrap.ts';

export interface GivenText extends GivenField {
  text: string;
}

const MAX_WARNING_VALUE = 2_000;

/** The body that is being read. */
export interface Draft {
  options: FieldOptions;
  body: Map<string, unknown>;
  metadata: Map<string, MetadataValue>;
  warnings: Warning[];
  /** The filled texts for a field, in order of preference. */
  textsOf(field: string): GivenText[];
  /** Names of the fields with a filled text. */
  fields(): string[];
  warn(field: string, message: string, value: string): void;
  /** Keeps a text that is too long for its field as a note, if the resource has notes. */
  keepAsNote(field: string, text: string, message: string): void;
}

export function createDraft(given: readonly GivenField[], options: FieldOptions): Draft {
  const texts = new Map<string, GivenText[]>();
  for (const entry of given) {
    const text = toText(entry.value);
    if (text === undefined || isBlank(text)) continue;
    texts.set(entry.field, [...(texts.get(entry.field) ?? []), { ...entry, text }]);
  }
  const body = new Map<string, unknown>();
  const warnings: Warning[] = [];
  const warn = (field: string, message: string, value: string) => {
    warnings.push({ field, message, value: firstCharacters(value, MAX_WARNING_VALUE) });
  };
  return {
    options,
    body,
    metadata: new Map(),
    warnings,
    textsOf: (field) => texts.get(field) ?? [],
    fields: () => [...texts.keys()],
    warn,
    keepAsNote(field, text, message) {
      if (kindOf(options.resource, 'note').kind !== 'note') return warn(field, message, text);
      const before = body.get('note');
      body.set('note', `${before === undefined ? '' : `${String(before)}\n\n`}${labelOf(field)}: ${text}`);
      warn(field, `${message} It was kept as a note.`, '');
    },
  };
}

/**
 * The text of any value, without characters that PostgreSQL can't store. Lists of texts become one text, an amount with its
 * currency `1250.00 EUR`, and other objects JSON.
 */
export function toText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return unwrap(trimText(value.toWellFormed().replaceAll('\0', '')));
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return undefined;
      if (value instanceof ExactNumber) return String(value);
      if (isAmount(value)) return `${toText(value.amount)} ${toText(value.currency)}`;
      if (Array.isArray(value) && !value.some(isObject)) {
        return value
          .map((item) => toText(item) ?? '')
          .filter((item) => item !== '')
          .join(', ');
      }
      return trimText(JSON.stringify(value));
    default:
      return undefined;
  }
}

function isAmount(value: object): value is { amount: unknown; currency: unknown } {
  return Object.keys(value).sort().join() === 'amount,currency' && !Object.values(value).some(isObject);
}
