import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { literal } from './literal.ts';

/** The keywords that generated/limits.ts repeats. */
const limitKeywords = ['enum', 'default', 'maximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-bytes'];

/** The enums, defaults and limits of parameters, request bodies and plain values, for code that needs them. */
export function limitsSource({
  paths,
  components: { parameters = {}, schemas = {} } = {},
}: OpenAPI.Document): string {
  const bodies = JSON.stringify(paths, (key, value) => (key === 'responses' ? undefined : value));
  const values = Object.entries(schemas).map(([name, schema]): [string, unknown] => {
    const { properties, ...own } = schema as OpenAPI.SchemaObject;
    return [name, limitsOf(bodies.includes(`"#/components/schemas/${name}"`) ? { ...own, properties } : own)];
  });
  const shared = Object.entries(parameters).map(([name, parameter]): [string, unknown] => [
    name,
    limitsOf('schema' in parameter ? parameter.schema : {}),
  ]);
  return `export const schemas = ${literal(Object.fromEntries(values.filter(hasLimits)))} as const;

export const parameters = ${literal(Object.fromEntries(shared.filter(hasLimits)))} as const;
`;
}

function limitsOf(schema: object = {}): object {
  const own = Object.entries(schema).filter(([keyword]) => limitKeywords.includes(keyword));
  const { properties = {} } = schema as OpenAPI.SchemaObject;
  const nested = Object.entries(properties).map(([name, property]): [string, unknown] => [
    name,
    limitsOf(property),
  ]);
  return Object.fromEntries([...own, ...nested.filter(hasLimits)]);
}

function hasLimits([, limits]: [string, unknown]): boolean {
  return Object.keys(limits as object).length > 0;
}
