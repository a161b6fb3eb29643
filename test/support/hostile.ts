/** Values for request fields, generated from their schemas: odd but valid, and almost valid ones. */
import fc from 'fast-check';
import type { Schema } from './document.ts';

type Values = fc.Arbitrary<unknown>;

// biome-ignore format: a list of short things
const blanks = [
  ' ', '\t', '\n', '\r\n', '\u0000', '\u0001', '\u001f', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u200b', '\u200d', '\u200f', '\u2028',
];

// biome-ignore format: a list of short things
const pieces = [
  ...blanks,
  '\u202e', '\u2066', '\u3000', '\ufeff', '\ufffd', '\ufffe', '\ud800', '\udfff', '\u{10ffff}', '🎉', '👩‍👩‍👧', 'e\u0301', 'é', 'ß', 'İ', 'ı', 'ﬁ', '漢', 'שלום',
  '\'', '"', '\\', '%', '_', '$1', '?', '{', '}', '[', ']', '<b>', '&amp;', ',', ';', '/', '~1', '--', '/*', 'null', 'true', '0', '-1', '1e400', 'NaN',
  '__proto__', 'constructor', '\\u0000', '%00', '{{x}}',
];

// biome-ignore format: a list of short things
const texts = [
  // Emails
  'a@b.co', "o'brien+tag@example.com", '!#$%&*+/=?^_`{|}~-@example.com', 'A.B@EXAMPLE.COM', 'a@b', '"a b"@example.com', 'a@[127.0.0.1]', 'a..b@example.com',
  'ä@example.com', 'a@exämple.de', 'a@xn--exmple-cua.de', `${'a'.repeat(64)}@example.com`, `${'a'.repeat(65)}@example.com`, `a@${'b.'.repeat(120)}co`, 'a@-b.com',
  // Phones
  '+1234567', '+123456789012345', '+1234567890123456', '+01234567', '+49 151 1234567', '+٤٩١٥١٢٣٤٥',
  // Languages
  'en', 'pt-BR', 'zh-Hant-TW', 'de-CH-1901', 'i-klingon', 'x-private', 'en-', 'EN', 'sl-rozaj-biske-1994', 'de-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p', 'en_US',
  // Addresses
  'https://example.com', 'http://example.com/?a=b#c', 'https://example.com:65535/%20', 'https://example.com:65536', 'https://[2606:4700::1111]/', 'https://[::1',
  'https://example.com/?a[]=1', 'https://example.com/#a#b', 'https://example.com/%zz', 'https://exämple.com', 'HTTPS://EXAMPLE.COM', 'https://example.com\\a', 'https://a@b.co/',
  'https://', 'https:///a', '//example.com', 'javascript:alert(1)', 'https://example.com.', 'https://example..com', 'https://a_b.co', 'https://1.2.3', 'https://8.8.8.8:0',
  "https://example.com/!$&'()*+,;=:@-._~", 'https://example.com/a?b?c/d', 'https://example.com:', 'https://example.com:80a', 'https://%65xample.com', 'https://[v1.a]/',
  // Times
  '2026-11-20', '1970-01-01', '0000-01-01', '0001-01-01', '9999-12-31', '2026-02-30', '2026-11-20T09:30:00.123456789+14:00', '2026-11-20T23:59:60Z', '9999-12-31T23:59:59.999-23:59',
  // Slugs, ids, pointers, headers, secrets
  'a-b', 'a--b', '-a', 'user_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'user_01m7w4n5e0eymtkc82hvhg0xb9', 'content_01m7w4n5e0fj29y8hnfp12qb0m', '/', '//', '/~0/~1', '/~', '/a/-', '/0', 'X-Signature',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'shared-secret',
];

const numbers = [
  ...[0, -0, 1, -1, 0.5, 100, 2_147_483_647, 2_147_483_648, -2_147_483_649, 4_294_967_296],
  ...[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, 1e21, 1e308, 5e-324],
];

/** As of the unit `binary`, for which fast-check fills a map of a million code points in each process. */
export const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const odd = fc.oneof(
  fc.constantFrom(...texts),
  fc
    .array(fc.constantFrom(...pieces, 'a', 'Ada'), { minLength: 1, maxLength: 4 })
    .map((found) => found.join('')),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

/** A text of the maximum length, of one more character, or an example with something odd in it. */
function text({ maxLength = 20, examples = [] }: Schema & { maxLength?: number }): Values {
  const [example] = examples.flat().map(String);
  const fill = fc.tuple(fc.constantFrom('a', '🎉', 'é', ' '), fc.constantFrom(-1, 0, 1));
  return fc.oneof(
    { weight: 6, arbitrary: odd },
    { weight: 1, arbitrary: fill.map(([unit, more]) => unit.repeat(Math.max(0, maxLength + more))) },
    { weight: example === undefined ? 0 : 3, arbitrary: fc.constant(example) },
    {
      weight: example === undefined ? 0 : 6,
      arbitrary: fc.tuple(fc.nat(), fc.constantFrom(...blanks, ...blanks, ...pieces)).map(([nat, piece]) => {
        const given = example ?? '';
        const at = nat % (given.length + 1);
        return given.slice(0, at) + piece + given.slice(at);
      }),
    },
  );
}

type Maps = Schema & { maxItems?: number; patternProperties?: Record<string, Schema>; required?: string[] };

/** The required members as in the examples, and a few others with generated values. */
function object(schema: Maps): Values {
  const { properties = {}, additionalProperties, patternProperties = {}, required = [] } = schema;
  const base = Object.fromEntries(required.map((name) => [name, calm(properties[name])]));
  const members =
    Object.keys(properties).length === 0 ? fc.constant([]) : fc.array(fieldsOf(schema), { maxLength: 2 });
  const named = fc
    .tuple(fc.record(base), members)
    .map(([calmly, own]) => ({ ...calmly, ...Object.fromEntries(own) }));
  const [[pattern = '', patterned] = []] = Object.entries(patternProperties);
  const prefix = pattern === '' ? '' : 'metadata.';
  const further = patterned ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (further === undefined) return named;
  const keys = text({ maxLength: 40 }).map((key) => prefix + String(key));
  const entries = fc.array(fc.tuple(keys, valuesOf(further)), { maxLength: 3 });
  return fc.tuple(named, entries).map(([some, more]) => ({ ...some, ...Object.fromEntries(more) }));
}

function calm({ examples, enum: choices = [] }: Schema = {}): Values {
  return fc.constantFrom(...(examples ?? choices));
}

function ofType(type: string, schema: Maps & { minimum?: number; maximum?: number }): Values {
  switch (type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return fc.constantFrom(...numbers, schema.minimum ?? 0, schema.maximum ?? 0);
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const items = valuesOf(schema.items ?? {});
      const few = fc.array(items, { maxLength: 3 });
      return fc.oneof(
        { weight: 5, arbitrary: few },
        { weight: 1, arbitrary: few.map((some) => [...some, ...some]) },
      );
    }
    case 'object':
      return object(schema);
    default:
      return fc.constant(null);
  }
}

/** Values, most of which have the schema's types. */
export function valuesOf(schema: Schema): Values {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum, 'none', '', null);
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(
    ...types.map((type) => ({ weight: type === 'null' ? 1 : 8, arbitrary: ofType(type, schema) })),
    { weight: 1, arbitrary: fc.constantFrom(null, true, 0, '', [], {}) },
  );
}

/** One field with its own value. */
export function fieldsOf({ properties = {} }: Schema): fc.Arbitrary<[name: string, value: unknown]> {
  return fc.oneof(
    ...Object.entries(properties).map(([name, schema]) => fc.tuple(fc.constant(name), valuesOf(schema))),
  );
}
