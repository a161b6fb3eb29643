/** House rules that keep the contract fit for client generators. */
import { describe, expect, test } from 'vitest';
import { type Change, type Document, endpoints, readDocument, responseSchemas } from '../support/document.ts';
import { exampleFaults } from '../support/document-checks.ts';

interface Rule {
  faults(document: Document): string[];
  brokenBy: Change;
}

/** Enums whose values are fixed for all of v1, by the specification or by their meaning. */
const settled = [
  'production sandbox',
  'new contacted qualified won lost',
  'new contacted qualified',
  'api website referral manual',
];

const rules: Record<string, Rule> = {
  'no example of an optional parameter changes what a request does': {
    faults: exampleFaults,
    brokenBy: { at: ['components', 'parameters', 'DryRun', 'example'], to: 'true' },
  },

  'no operation has a description of more than 1,000 characters': {
    faults: (document) =>
      endpoints(document)
        .filter(({ description = '' }) => description.length > 1_000)
        .map(({ at }) => at),
    brokenBy: { at: ['paths', '/leads', 'get', 'description'], to: 'word '.repeat(201) },
  },

  'no description can end a comment, because generators write it into one': {
    faults: (document) => descriptions(document).filter((description) => description.includes('*/')),
    brokenBy: { at: ['info', 'description'], to: 'Use sed s/.*/a/.' },
  },

  'an enum in a response is open to new values, unless its values are fixed': {
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
