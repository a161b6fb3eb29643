/** A response's enum that may grow has `x-extensible-enum: true`, so that clients know that they must expect other values. */
import { expect, it } from 'vitest';
import { readDocument } from '../support/document.ts';

/** Why an enum never grows, by its values. */
const closed: Record<string, string> = {
  'production, sandbox': 'There are two environments, each with its own base URL.',
  'new, contacted, qualified, won, lost': 'The specification has these statuses of leads.',
  'new, contacted, qualified': 'The statuses of an open lead, of those.',
  'api, website, referral, manual': 'The specification has these sources; source_detail says more.',
  Bearer: 'RFC 6750.',
  OKP: 'RFC 8037: the signing keys are Ed25519.',
  Ed25519: 'RFC 8037.',
  EdDSA: 'RFC 8037.',
  sig: 'RFC 7517: the keys only sign.',
  none: 'What a filter calls a missing value.',
  true: 'A header that is either there or not.',
};

type Node = Record<string, unknown>;

/** The enums without x-extensible-enum that responses and webhooks can have, with what refers to them. */
function closedEnums(document: Node): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  function walk(node: unknown): void {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { $ref: ref, enum: values, 'x-extensible-enum': isExtensible } = node as Node;
    if (typeof ref === 'string') walk(find(ref));
    if (Array.isArray(values) && isExtensible !== true) found.add(values.join(', '));
    for (const [key, child] of Object.entries(node)) if (!/^examples?$/.test(key)) walk(child);
  }
  function find(ref: string): unknown {
    return ref
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (node, key) => (node as Node)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      );
  }
  for (const item of Object.values(document.paths as Node)) {
    for (const operation of Object.values(item as Node)) walk((operation as Node).responses);
  }
  for (const { post } of Object.values(document.webhooks as Record<string, { post: Node }>))
    walk(post.requestBody);
  // An event's schema has its own type as an enum of one.
  for (const type of Object.keys(document.webhooks as Node)) found.delete(type);
  return found;
}

it('each enum of a response may grow, or has a reason why not', async () => {
  const document = (await readDocument()) as unknown as Node;
  expect([...closedEnums(document)].toSorted()).toEqual(Object.keys(closed).toSorted());
});

it('a new enum that says nothing is noticed', () => {
  const schema = { type: 'string', enum: ['hot', 'cold'] };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const paths = { '/leads': { get: { responses } } };
  expect([...closedEnums({ paths, webhooks: {} })]).toEqual(['hot, cold']);
  const open = structuredClone(paths);
  Object.assign(open['/leads'].get.responses[200].content['application/json'].schema, {
    'x-extensible-enum': true,
  });
  expect([...closedEnums({ paths: open, webhooks: {} })]).toEqual([]);
});
