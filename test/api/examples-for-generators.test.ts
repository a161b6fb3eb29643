/**
 * No example in the served documents has a null that its own schema refuses. The linter checks everything else in examples, but
 * takes a null for any schema without a type. kin-openapi doesn't.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';

type Node = Record<string, unknown>;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

it.each(['/openapi.json', '/openapi-3.0.json'])('%s has no null that a schema refuses', async (path) => {
  const { body } = await new TestClient(app.url).get(path).expect(200);
  expect(refusedNulls(body)).toEqual([]);
});

it('a schema of 3.0 without a type refuses null', () => {
  const rule = { description: 'A rule.' };
  const map = { type: 'object', example: { phone: null } };
  const documentOf = (schema: Node) => ({ components: { schemas: { Rule: rule, Sample: schema } } });
  const refused = ['/components/schemas/Sample/phone'];
  const $ref = '#/components/schemas/Rule';
  expect(refusedNulls(documentOf({ ...map, additionalProperties: { $ref } }))).toEqual(refused);
  expect(refusedNulls(documentOf({ ...map, properties: { phone: rule } }))).toEqual(refused);
  expect(refusedNulls(documentOf({ ...map, properties: { phone: { type: 'string' } } }))).toEqual(refused);
  const text = { type: 'string', nullable: true };
  expect(refusedNulls(documentOf({ ...map, properties: { phone: text } }))).toEqual([]);
  expect(refusedNulls(documentOf({ ...map, additionalProperties: true }))).toEqual([]);
});

/** Where examples in the document have such a null. */
function refusedNulls(document: Node): string[] {
  const resolve = (node: unknown): Node => {
    const { $ref } = Object(node);
    if ($ref === undefined) return Object(node);
    return String($ref)
      .slice('#/'.length)
      .split('/')
      .reduce<Node>((at, name) => Object(at)[name], document);
  };
  const takesNull = ({ type, nullable, anyOf, oneOf }: Node): boolean => {
    const choices = (anyOf ?? oneOf) as unknown[] | undefined;
    if (choices !== undefined) return choices.some((choice) => takesNull(resolve(choice)));
    return nullable === true || (Array.isArray(type) && type.includes('null'));
  };
  const inValue = (at: string, given: unknown, value: unknown): string[] => {
    const schema = resolve(given);
    const { properties = {}, additionalProperties, items } = schema as Record<string, Node>;
    if (given === undefined || typeof given === 'boolean') return [];
    if (value === null) return takesNull(schema) ? [] : [at];
    if (Array.isArray(value)) return value.flatMap((item, index) => inValue(`${at}/${index}`, items, item));
    if (typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, member]) =>
      inValue(`${at}/${name}`, properties[name] ?? additionalProperties, member),
    );
  };
  const inNode = (node: unknown, at: string): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const { example, examples = [], schema, ...members } = node as Node;
    const values = Object.values(Object(examples)).map((one) => Object(resolve(one)).value ?? one);
    const own = schema ?? (members.type === undefined ? undefined : node);
    const faults = [...(example === undefined ? [] : [example]), ...values].flatMap((value) =>
      inValue(at, own, value),
    );
    const inner = Object.entries({ ...members, schema }).flatMap(([name, member]) =>
      ['default', 'enum'].includes(name) ? [] : inNode(member, `${at}/${name}`),
    );
    return [...faults, ...inner];
  };
  return inNode(document, '');
}
