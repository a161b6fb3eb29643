import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { isMembers, type Members, mapSchemas } from '../../src/http/validation/map-schemas.ts';
import { nameIn } from './schemas.ts';

const SCHEMAS = '#/components/schemas/';

/**
 * The document without the components that deserve no class in a client. openapi/ names every schema that it needs twice;
 * clients get classes for objects, for maps and choices that several places use, and for nothing else:
 *
 * - A text, number, boolean or list is written out wherever it is used.
 * - So are a map and a choice that only one place uses.
 * - So is an object that only one field uses, if its name is that of the field, as ImportCounts is `counts` of Import.
 *   Generators give it the same name.
 *
 * The order of a list keeps its name: kubb would give all orders the name of their parameter.
 */
export function inlineSchemas<D extends OpenAPI.Document>(document: D): D {
  const schemas = { ...document.components?.schemas } as Record<string, Members>;
  const uses = usesOf(document);
  const isInline = (name: string) => deservesNoClass(name, schemas[name] ?? {}, uses.get(name) ?? []);
  const inline = new Set(Object.keys(schemas).filter(isInline));
  const writeOut = (node: unknown): unknown =>
    mapSchemas(node, (member) => {
      const name = nameIn(String(member.$ref));
      if (!inline.has(name) || member.$ref !== SCHEMAS + name) return member;
      const { $ref: _, ...beside } = member;
      return { ...(writeOut(schemas[name]) as Members), ...beside };
    });
  const named = Object.entries(schemas).filter(([name]) => !inline.has(name));
  const components = { ...document.components, schemas: Object.fromEntries(named) };
  return writeOut({ ...document, components }) as D;
}

/** For each schema, the names that generators would give it at the places that use it. An empty one: no such name. */
function usesOf({ components, ...document }: OpenAPI.Document): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const count = ({ $ref }: Members, as: string) => {
    const name = nameIn(String($ref));
    if ($ref === SCHEMAS + name) uses.set(name, [...(uses.get(name) ?? []), as]);
  };
  const countIn = (node: unknown) =>
    mapSchemas(node, (member) => {
      count(member, '');
      return member;
    });
  const { schemas = {}, ...others } = components ?? {};
  countIn([document, others]);
  for (const [name, { properties = {}, ...schema }] of Object.entries(schemas) as [string, Members][]) {
    countIn(schema);
    for (const [field, property] of Object.entries(properties as Record<string, Members>)) {
      if ('$ref' in property) count(property, name + pascalCase(field));
      else countIn(property);
    }
  }
  return uses;
}

function deservesNoClass(name: string, schema: Members, uses: string[]): boolean {
  const isObject = isMembers(schema.properties);
  if ('oneOf' in schema || isOrder(schema)) return false;
  if (isObject) return uses.length === 1 && uses[0] === name;
  const isMap = [schema.type].flat().includes('object');
  return isMap || 'enum' in schema ? uses.length === 1 : true;
}

function isOrder({ enum: values }: Members): boolean {
  return Array.isArray(values) && values.some((value) => String(value).startsWith('-'));
}

function pascalCase(field: string): string {
  return field.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
