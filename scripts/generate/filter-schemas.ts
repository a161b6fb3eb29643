import { type Schema, schemaResolver } from './schemas.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in?: string;
  description?: string;
  schema: Schema;
  example?: unknown;
  'x-in-url'?: string;
}

interface FilterSchema extends Schema {
  'x-filters-of'?: string;
  'x-without'?: string[];
}

/** The parts of the bundled document that filters consist of. */
export interface FilterDocument {
  paths?: Record<string, Record<string, { operationId?: string; parameters?: Parameter[] }>>;
  components?: { parameters?: Record<string, Parameter>; schemas?: Record<string, FilterSchema> };
}

/** Parameters of a list that choose no rows. */
const NO_FILTERS = ['page', 'per_page', 'cursor', 'sort', 'fields', 'expand'];

/**
 * Makes of each schema with `x-filters-of: listLeads` an object with the filters of that list, so a new parameter needs no
 * second place in openapi/. `x-without` names those to leave out. JSON has lists, numbers, booleans and objects where a URL
 * has texts. Then adds to each parameter's description what only matters in a URL, `x-in-url`.
 */
export function addFilterSchemas({ paths = {}, components = {} }: FilterDocument): void {
  const { parameters = {}, schemas = {} } = components;
  const resolve = schemaResolver(schemas);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const [name, each] of Object.entries(schemas)) {
    const { 'x-filters-of': list, 'x-without': left = [], ...schema } = each;
    if (list === undefined) continue;
    const operation = operations.find(({ operationId }) => operationId === list);
    if (operation === undefined)
      throw new Error(`The schema ${name} has filters of ${list}, which does not exist`);
    const filters = (operation.parameters ?? [])
      .map(({ $ref, ...own }) =>
        $ref === undefined ? own : (parameters[$ref.split('/').at(-1) ?? ''] ?? own),
      )
      .filter(({ in: place, name }) => place === 'query' && ![...NO_FILTERS, ...left].includes(name));
    const properties = filters.map((parameter) => [parameter.name, fieldOf(parameter, resolve)]);
    schemas[name] = {
      type: 'object',
      ...schema,
      additionalProperties: false,
      properties: Object.fromEntries(properties),
    };
  }
  for (const parameter of [
    ...Object.values(parameters),
    ...operations.flatMap((one) => one.parameters ?? []),
  ]) {
    const { description = '', 'x-in-url': inUrl } = parameter;
    if (inUrl === undefined) continue;
    parameter.description = `${description.trim()} ${inUrl}`;
    delete parameter['x-in-url'];
  }
}

/** An empty value, which a URL may leave out, would choose all rows. */
function fieldOf({ description, schema, example }: Parameter, resolve: (schema: Schema) => Schema): Schema {
  return { ...notEmpty(schema, resolve), description, ...(example !== undefined && { examples: [example] }) };
}

function notEmpty(schema: Schema, resolve: (schema: Schema) => Schema): Schema {
  const { type, additionalProperties, ...rules } = resolve(schema);
  if (type === 'object') {
    const values = typeof additionalProperties === 'object' && notEmpty(additionalProperties, resolve);
    return { ...schema, minProperties: 1, ...(values && { additionalProperties: values }) };
  }
  const refusesEmpty = ['minLength', 'pattern', 'format', 'enum'].some((rule) => rule in rules);
  return type !== 'string' || refusesEmpty ? schema : { ...schema, minLength: 1 };
}
