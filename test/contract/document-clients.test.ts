/** House rules for the contract that clients are generated from. */
import { describe, expect, test } from 'vitest';
import { type Change, type Document, endpoints, readDocument, responseSchemas } from '../support/document.ts';

interface Rule {
  faults(document: Document): string[];
  brokenBy: Change;
}

/** Enums whose values the specification, or what they stand for, settles for the whole of v1. */
const settled = [
  'production sandbox',
  'new contacted qualified won lost',
  'new contacted qualified',
  'api website referral manual',
];

const rules: Record<string, Rule> = {
  'no operation has a description of more than 1,000 characters': {
    faults: (document) =>
      endpoints(document)
        .filter(({ description = '' }) => description.length > 1_000)
        .map(({ at }) => at),
    brokenBy: { at: ['paths', '/leads', 'get', 'description'], to: 'word '.repeat(201) },
  },

  'no description ends a comment, as which generators write it': {
    faults: (document) => descriptions(document).filter((description) => description.includes('*/')),
    brokenBy: { at: ['info', 'description'], to: 'Use sed s/.*/a/.' },
  },

  'an enum in a response is open to new values, unless these are settled': {
    faults: (document) =>
      endpoints(document)
        .flatMap(responseSchemas)
        .filter(([, schema]) => (schema.enum?.length ?? 0) > 1 && schema['x-extensible-enum'] !== true)
        .filter(([, schema]) => !settled.includes(schema.enum?.join(' ') ?? ''))
        .map(([at]) => at),
    brokenBy: {
      at: ['components', 'schemas', 'WebhookDeliveryStatus', 'x-extensible-enum'],
      to: undefined,
    },
  },
};

describe.each(Object.entries(rules))('%s', (_, { faults, brokenBy }) => {
  test('holds', () => expect(faults(readDocument())).toEqual([]));

  test('is noticed when broken', () => expect(faults(readDocument(brokenBy))).not.toEqual([]));
});

function descriptions(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, member]) =>
    name === 'description' && typeof member === 'string' ? [member] : descriptions(member),
  );
}
