/** By the document's limits, no page of a list is larger than 4 MiB. */
import { describe, expect, it } from 'vitest';
import { type Endpoint, endpoints, readDocument, success, takes } from '../support/document.ts';

const LIMIT = 4 * 1024 * 1024;
const MAX_ROWS = 100;

interface Limited {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  'x-max-bytes'?: number;
  properties?: Record<string, Limited>;
  items?: Limited;
  oneOf?: Limited[];
}

/** The maximum bytes of a value as JSON in UTF-8. Throws if the document has no limit for it. */
function mostBytes(schema: Limited, at: string): number {
  if (schema['x-max-bytes'] !== undefined) return schema['x-max-bytes'];
  const { enum: values } = schema;
  if (values !== undefined) return Math.max(...values.map((value) => JSON.stringify(value).length));
  if (schema.oneOf !== undefined) return Math.max(...schema.oneOf.map((one) => mostBytes(one, at)));
  const types = [schema.type].flat().filter((type) => type !== 'null');
  return Math.max(...types.map((type) => mostOf(String(type), schema, at)));
}

function mostOf(type: string, schema: Limited, at: string): number {
  switch (type) {
    case 'string':
      return 2 + mostOfText(schema, at);
    case 'integer':
    case 'number':
      return 24;
    case 'boolean':
      return 5;
    case 'array':
      return 2 + limit(schema.maxItems, at) * (1 + mostBytes(schema.items ?? {}, `${at}[]`));
    default:
      return Object.entries(schema.properties ?? refuse(at)).reduce(
        (sum, [name, value]) => sum + name.length + 4 + mostBytes(value, `${at}.${name}`),
        2,
      );
  }
}

function mostOfText({ format, pattern, maxLength }: Limited, at: string): number {
  if (format === 'date-time') return '2026-11-20T09:30:00.000Z'.length;
  if (format === 'date') return '2026-11-20'.length;
  const [, prefix, , times] = /^\^(\w*?)(\[0-7\])?\[[^\]]+\]\{(\d+)\}\$$/.exec(pattern ?? '') ?? [];
  if (prefix !== undefined) return prefix.length + 1 + Number(times);
  // JSON escapes only two of these characters.
  if (pattern === '^[!-~]*$' || pattern === '^[ -~]*$') return 2 * limit(maxLength, at);
  // Neither has characters that JSON escapes, or non-ASCII characters.
  if (format === 'uri' || format === 'email') return limit(maxLength, at);
  return 6 * limit(maxLength, at);
}

const limit = (most: number | undefined, at: string): number => most ?? refuse(at);

function refuse(at: string): never {
  throw new Error(`The document has no limit for ${at}.`);
}

/** The rows of a list. */
function rowsOf(endpoint: Endpoint): Limited {
  const { data } = success(endpoint)?.content?.['application/json']?.schema.properties ?? {};
  return (data?.items ?? refuse(endpoint.at)) as Limited;
}

describe('a page of 100 rows', () => {
  const all = endpoints(readDocument()).filter((endpoint) => takes(endpoint, 'per_page'));
  // A page of events, of notes, imports or bulk jobs ends at 4 MiB anyway.
  const histories = ['listEvents', 'listLeadEvents', 'listContactEvents', 'listContentEvents'];
  const bounded = [...histories, 'listNotes', 'listImports', 'listBulkJobs'];
  // A group of duplicates has ten of them, with few fields.
  const groups = ['listLeadDuplicates', 'listContactDuplicates'];
  const lists = all.filter(({ operationId }) => ![...bounded, ...groups].includes(operationId));

  it('is measured for every list', () => {
    expect(lists.map(({ path }) => path).sort()).toEqual([
      '/audit-log',
      '/bulk-jobs/{id}/errors',
      '/clients',
      '/clients/{id}/keys',
      '/contacts',
      '/content',
      '/erasures',
      '/imports/{id}/errors',
      '/imports/{id}/rows',
      '/inbound-hooks',
      '/inbound-hooks/{id}/deliveries',
      '/leads',
      '/leads/{id}/status-changes',
      '/metadata-fields',
      '/sales-cycles',
      '/tags',
      '/users',
      '/webhooks',
      '/webhooks/{id}/deliveries',
      '/webhooks/{id}/replays',
    ]);
  });

  it.each(lists.map((list) => [list.path, list] as const))('of %s has at most 4 MiB', (path, list) => {
    const perPage = list.parameters.find(({ name }) => name === 'per_page')?.schema as { maximum?: number };
    expect(perPage.maximum).toBe(MAX_ROWS);
    const bytes = MAX_ROWS * (1 + mostBytes(rowsOf(list), path)) + 4_096;
    expect(bytes).toBeLessThanOrEqual(LIMIT);
  });

  it('could not be computed without limits', () => {
    expect(() => mostBytes({ type: 'object', properties: { name: { type: 'string' } } }, 'x')).toThrow(
      'no limit for x.name',
    );
    expect(() => mostBytes({ type: 'array', items: { type: 'integer' } }, 'x')).toThrow('no limit for x');
    expect(() => mostBytes({ type: 'object' }, 'x')).toThrow('no limit for x');
    expect(mostBytes({ type: ['string', 'null'], maxLength: 10 }, 'x')).toBe(62);
  });
});
