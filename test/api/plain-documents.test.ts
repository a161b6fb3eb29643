/** The served documents use only what every client and client generator handles correctly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../generated/error-codes.ts';
import { type Document, readDocument } from '../../src/http/validation/document.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';

type Node = Record<string, unknown>;

let app: TestApp;
let contract: Document;
let served: Record<string, Document>;

beforeAll(async () => {
  app = await startTestApp();
  contract = await readDocument();
  const origin = new TestClient(app.url);
  served = {
    '3.1': (await origin.get('/openapi.json').expect(200)).body,
    '3.0': (await origin.get('/openapi-3.0.json').expect(200)).body,
  };
});

afterAll(() => app.close());

/** Where a document breaks each rule. The contract or the sample below breaks each of them, so each can fail. */
const rules: Record<string, (document: Document) => string[]> = {
  // Swagger UI, swagger-client and RapiDoc would send `#`, `&` and `+` as they are.
  'no parameter lets clients send reserved characters': faultsOf(
    ({ allowReserved }) => allowReserved === true,
  ),

  // Python knows no \p{…}, JavaScript reads it differently without the flag u, and \d differs.
  'patterns have only classes, groups, repetitions and anchors': faultsOf(
    ({ pattern }) => typeof pattern === 'string' && /\\[a-z0-9]|\(\?/i.test(pattern),
  ),

  'no const': faultsOf((node) => node.const !== undefined),

  'no null in an enum': faultsOf(({ enum: values }) => Array.isArray(values) && values.includes(null)),

  'no patterns of names': faultsOf(({ patternProperties }) => patternProperties !== undefined),

  'lines of JSON are text': (document) =>
    [...nodes(document)].flatMap(([at, { 'application/x-ndjson': lines }]) => {
      // The list of other names of media types has the same key.
      if (lines === undefined || Array.isArray(lines)) return [];
      const { schema, example } = lines as { schema: Node; example: unknown };
      return schema.type === 'string' && typeof example === 'string' ? [] : [at];
    }),

  'no body of a request has two media types for the same schema, but for a merge patch': (document) =>
    [...nodes(document)].flatMap(([at, { requestBody }]) => {
      const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema: unknown }> };
      const { 'application/merge-patch+json': _, ...others } = content;
      const schemas = Object.values(others).map(({ schema }) => JSON.stringify(schema));
      return new Set(schemas).size < schemas.length ? [at] : [];
    }),

  // In Go, a schema called Lead is also a type NullableLead and a function NewLead.
  'no schema is called like another one with Nullable or New before it': ({ components }) => {
    const names = Object.keys(components?.schemas ?? {});
    const taken = names.flatMap((name) => [`Nullable${name}`, `New${name}`]);
    return names.filter((name) => taken.includes(name));
  },

  'no two parameters of an operation have the same name in code': (document) =>
    operations(document).flatMap(({ operationId, parameters }) => {
      const names = parameters.map(({ name }) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
      return names
        .filter((name, index) => names.indexOf(name) < index)
        .map((name) => `${operationId} ${name}`);
    }),
};

/** Breaks the rules that the contract keeps too. */
const sample: object = {
  components: { schemas: { Text: {}, NullableText: {} } },
  paths: {
    '/sample': {
      get: {
        operationId: 'getSample',
        parameters: [
          { name: 'dry_run', in: 'query', allowReserved: true, schema: { const: 1 }, example: 1 },
          { name: 'Dry-Run', in: 'header' },
        ],
      },
    },
  },
};

describe.each(Object.entries(rules))('%s', (_, faults) => {
  it.each(['3.1', '3.0'])('in OpenAPI %s', (version) => {
    expect(faults(served[version] as Document)).toEqual([]);
  });

  it('is a rule that can be broken', () => {
    expect([...faults(contract), ...faults(sample as Document)]).not.toEqual([]);
  });
});

describe.each(['3.1', '3.0'])('OpenAPI %s', (version) => {
  const document = () => served[version] as Document;

  it('has no allOf around a single reference', () => {
    const single = faultsOf(({ allOf }) => Array.isArray(allOf) && allOf.length === 1);
    expect(single(document())).toEqual([]);
    expect(single({ ...contract, components: { schemas: { A: { allOf: [{}] } } } })).toEqual([
      '/components/schemas/A',
    ]);
  });

  it('has nothing beside a reference in a parameter, nor anywhere in 3.0', () => {
    const siblings = [...nodes(document())].filter(
      ([at, node]) =>
        typeof node.$ref === 'string' &&
        Object.keys(node).length > 1 &&
        (version === '3.0' || at.includes('/parameters/')),
    );
    expect(siblings.map(([at]) => at)).toEqual([]);
  });

  it('lists the codes of errors beside a string that takes any', () => {
    const { code } = Object(document().components?.schemas?.ApiError).properties;
    expect(code).toMatchObject({ type: 'string', 'x-extensible-enum': Object.keys(errorCodes) });
    expect(code).not.toHaveProperty('enum');
  });

  it('names the other media types of a body', () => {
    const { post } = document().paths?.['/auth/token'] ?? {};
    expect(Object(post).requestBody.description).toMatch(
      /also send it as `application\/x-www-form-urlencoded`\.$/,
    );
  });

  it('declares both media types of a change', () => {
    const changes = Object.values(document().paths ?? {}).flatMap((item) => item?.patch ?? []);
    expect(changes.length).toBeGreaterThan(10);
    for (const { operationId, requestBody } of changes) {
      const { content } = requestBody as { content: Record<string, { schema: unknown }> };
      const { 'application/json': json, 'application/merge-patch+json': patch, ...others } = content;
      expect(json?.schema, operationId).toHaveProperty('$ref');
      expect(patch?.schema, operationId).toEqual(json?.schema);
      expect(others, operationId).toEqual({});
    }
  });

  it('has each order as a named schema with names that code can have', () => {
    const sorts = operations(document()).flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === 'sort').map(({ schema }) => ({ operationId, schema })),
    );
    expect(sorts.length).toBeGreaterThan(10);
    for (const { operationId, schema } of sorts) {
      const order = Object(resolve(document(), schema));
      // Keys of metadata are in no enum.
      if (String(order.pattern).includes('|metadata')) continue;
      expect(schema, operationId).toEqual({
        $ref: expect.stringMatching(/^#\/components\/schemas\/\w+Order$/),
      });
      const names: string[] = order['x-enum-varnames'];
      expect(names, operationId).toHaveLength(order.enum.length);
      expect(new Set(names).size, operationId).toBe(names.length);
      expect(
        names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name)),
        operationId,
      ).toEqual([]);
    }
    expect(document().components?.schemas).toHaveProperty('ChangedOrder.x-enum-varnames', [
      'CreatedAt',
      'CreatedAtDescending',
      'UpdatedAt',
      'UpdatedAtDescending',
    ]);
  });

  // A client in Java, Python or Rust can't read a value that its enum lacks. One in TypeScript can.
  it('has enums that may grow, which are strings in 3.0', () => {
    const growing = [...nodes(document())].filter(
      ([, node]) => node['x-extensible-enum'] === true && node.enum !== undefined,
    );
    expect(growing.map(([at]) => at).includes('/components/schemas/WebhookStatus')).toBe(version === '3.1');
    expect(growing.length > 0).toBe(version === '3.1');
    const { description, ...status } = Object(document().components?.schemas?.WebhookStatus);
    if (version === '3.0') {
      expect(status).toEqual({
        type: 'string',
        'x-extensible-enum': ['enabled', 'paused', 'disabled'],
      });
      expect(description).toMatch(/One of `enabled`, `paused`, `disabled`\. More may be added\.$/);
    }
  });

  it('has no component that nothing refers to', () => {
    const text = JSON.stringify(document());
    const unused = ['schemas', 'parameters', 'examples'].flatMap((kind) =>
      Object.keys(Object(document().components)[kind])
        .map((name) => `#/components/${kind}/${name}`)
        .filter((ref) => !text.includes(`"${ref}"`)),
    );
    expect(unused).toEqual([]);
  });
});

interface Parameter {
  name: string;
  schema?: unknown;
}

function operations(document: Document): { operationId: string; parameters: Parameter[] }[] {
  return Object.values(document.paths ?? {}).flatMap((item) => {
    const { parameters: shared = [], ...methods } = item as { parameters?: unknown[] };
    return Object.values(methods as Record<string, { operationId: string; parameters?: unknown[] }>).map(
      ({ operationId, parameters = [] }) => ({
        operationId,
        parameters: [...shared, ...parameters].map((one) => resolve(document, one) as Parameter),
      }),
    );
  });
}

function resolve(document: Document, node: unknown): unknown {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node;
  const names = $ref.slice('#/'.length).split('/');
  return names.reduce<unknown>((at, name) => Object(at)[name], document);
}

function faultsOf(isFault: (node: Node) => boolean) {
  return (document: Document) => [...nodes(document)].flatMap(([at, node]) => (isFault(node) ? [at] : []));
}

/** Every object of the document but those in examples, with its place. */
function* nodes(node: unknown, at = ''): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [at, node as Node];
  for (const [name, member] of Object.entries(node)) {
    if (!['example', 'examples', 'default', 'enum'].includes(name)) yield* nodes(member, `${at}/${name}`);
  }
}
