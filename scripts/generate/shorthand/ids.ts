import type { Node } from './node.ts';

/** An example of each kind of id. What stands before the `_` is its prefix. */
const ids = [
  'audit_01m7w4n5e0f3s8v6rt2yqb4k9e',
  'change_01m7w4n5e0ewz5k8t2qx9n3r7v',
  'client_01m7w4n5e0e0vbbhcpvg4zwf73',
  'contact_01m7w4n5e0fymt8j463c8gepsz',
  'content_01m7w4n5e0fj29y8hnfp12qb0m',
  'cycle_01m7w4n5e0f2v8x4c6n1b7m3kz',
  'delivery_01m7w9c4k1e2r8s5t7v3x6y9zb',
  'erasure_01m7w4n5e0f2f9tq0m3c8xk7vd',
  'event_01m7w4n5e0e5w9fsgdq3y8x2ra',
  'field_01m7w4n5e0f6x3k9q2v8n4r7tc',
  'hook_01m7w4n5e0fwbtrs2p7d9k4x6v',
  'import_01m7w4n5e0fpd8q2tn6s3k9vcx',
  'inbound_01m7w4n5e0ea9bcm473x5b9fx3',
  'job_01m7w4n5e0f5h8t2mv9q7c3xkd',
  'key_01m7w4n5e0ebj8t9xkcpqz3w5d',
  'lead_01m7w4n5e0e3tajy9kep34bze2',
  'note_01m7w4n5e0fnt8s5k2x9c3qrzv',
  'replay_01m7wb6t3hf8x9k2q4v6n9r3te',
  'user_01m7w4n5e0eymtkc82hvhg0xb9',
  'webhook_01m7w4n5e0f7x8k2q4v6n9r3td',
];
const EXAMPLES = new Map(ids.map((id) => [id.slice(0, id.indexOf('_')), id]));
const REST = '_[0-7][0-9a-hjkmnp-tv-z]{25}';
const REST_LENGTH = 27;
/** Of what clients send. The pattern refuses other lengths, and its message is better. */
const SENT_LENGTH = 100;

/**
 * `x-id: user` in a schema is the id of a user. `x-sent-id: user` is one that clients send: a message says what it must be.
 * `[lead, contact]`: either. `[none, user]`: also the word `none`.
 */
export function expandId({ 'x-id': written, 'x-sent-id': sent, ...rest }: Node): Node {
  const prefixes = [written ?? sent ?? []].flat() as string[];
  if (prefixes.length === 0) return rest;
  const keywords = sent === undefined ? writtenId(prefixes) : sentId(prefixes);
  return { ...keywords, ...rest, examples: rest.examples ?? [exampleOf(prefixes)] };
}

/** The same keys in a parameter. `x-path-id: lead` is one in the path: a malformed id doesn't exist, so it has no pattern. */
export function expandParameterId({ 'x-sent-id': sent, 'x-path-id': inPath, ...rest }: Node): Node {
  const prefixes = [sent ?? inPath ?? []].flat() as string[];
  if (prefixes.length === 0) return rest;
  const schema = sent === undefined ? { type: 'string', maxLength: SENT_LENGTH } : sentId(prefixes);
  return {
    ...(inPath !== undefined && { in: 'path' }),
    ...rest,
    schema,
    example: rest.example ?? exampleOf(prefixes),
  };
}

function writtenId(prefixes: string[]): Node {
  const maxLength = Math.max(...prefixes.map(({ length }) => length)) + REST_LENGTH;
  return { type: 'string', maxLength, pattern: patternOf(prefixes) };
}

function sentId(prefixes: string[]): Node {
  const named = prefixes.filter((prefix) => prefix !== 'none');
  const [first = ''] = named;
  const kind =
    named.length > 1
      ? `the id of a ${named.join(' or ')},`
      : `${/^[aeio]/.test(first) ? 'an' : 'a'} ${first} id`;
  const none = named.length < prefixes.length;
  return {
    type: 'string',
    maxLength: SENT_LENGTH,
    pattern: none ? `^(none|${patternOf(named).slice(1, -1)})$` : patternOf(named),
    'x-message': `must be ${none ? 'none or ' : ''}${kind} such as ${exampleOf(named)}`,
  };
}

function patternOf(prefixes: string[]): string {
  return `^${prefixes.length > 1 ? `(${prefixes.join('|')})` : prefixes[0]}${REST}$`;
}

function exampleOf(prefixes: string[]): string {
  const known = prefixes.find((prefix) => prefix !== 'none') ?? '';
  const example = EXAMPLES.get(known);
  if (example === undefined)
    throw new Error(`scripts/generate/shorthand/ids.ts has no example of an id with the prefix ${known}`);
  return example;
}
