import { isExpanded, nameIn, type Schema, schemaResolver } from './schemas.ts';

export interface Operation {
  operationId?: string;
  parameters?: { $ref?: string; name?: string }[];
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** The parts of the bundled document that lists and exports consist of. */
export interface ListDocument {
  paths?: Record<string, { get?: Operation }>;
  components?: { parameters?: Record<string, unknown>; schemas?: Record<string, unknown> };
}

export const JSON_TYPE = 'application/json';
const ROWS_TYPE = 'application/x-ndjson';

/**
 * Adds the parameter `fields` to each list and export of items that have an id. Its values are the names of the item's fields,
 * so a new field needs no second place in openapi/.
 */
export function addFieldsParameters({ paths = {}, components = {} }: ListDocument): void {
  const { parameters = {}, schemas = {} } = components as {
    parameters?: Record<string, unknown>;
    schemas?: Record<string, Schema>;
  };
  const resolve = schemaResolver(schemas);
  for (const { get } of Object.values(paths)) {
    const item = get === undefined ? undefined : itemOf(get, resolve);
    if (get === undefined || item?.$ref === undefined) continue;
    const { oneOf: [member] = [], properties = resolve(member ?? {}).properties ?? {} } = resolve(item);
    if (!('id' in properties)) continue;
    const name = nameIn(item.$ref);
    const fields = Object.keys(properties).filter((field) => !isExpanded(properties[field] ?? {}));
    schemas[`${name}Field`] ??= fieldSchema(name, fields);
    parameters[`${name}Fields`] ??= fieldsParameter(name, fields);
    get.parameters = [...(get.parameters ?? []), { $ref: `#/components/parameters/${name}Fields` }];
  }
}

/** The schema of what a list shows, or an export has in each row. */
export function itemOf({ parameters = [], responses = {} }: Operation, resolve: (schema: Schema) => Schema) {
  const { content = {} } = responses[200] ?? {};
  const types = Object.keys(content);
  const isPaged = parameters.some(({ $ref, name }) => $ref?.endsWith('/Cursor') || name === 'cursor');
  if (isPaged && types.join() === JSON_TYPE) {
    return resolve(content[JSON_TYPE]?.schema ?? {}).properties?.data?.items;
  }
  const isExport = parameters.some(({ $ref }) => $ref?.endsWith('Sort')) && types.includes(ROWS_TYPE);
  return isExport ? content[ROWS_TYPE]?.schema : undefined;
}

/** v1 may add fields. Where clients have enums that can't grow, a constant for the field `name` would not compile in Kotlin. */
function fieldSchema(name: string, fields: string[]): Schema {
  return {
    type: 'string',
    description: `The name of a field of ${name}.`,
    'x-extensible-enum': true,
    enum: fields,
  };
}

function fieldsParameter(name: string, fields: string[]) {
  return {
    name: 'fields',
    in: 'query',
    description:
      'The fields that you need, separated by commas, or with the parameter repeated. `id` always comes too. Everything ' +
      'else is left out, also fields that the schema of the answer requires: it describes an answer with all fields. A ' +
      'CSV file has its columns in this order.\n',
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: { $ref: `#/components/schemas/${name}Field` },
    },
    example: fields.slice(0, 2),
  };
}
