import { itemOf, JSON_TYPE, type ListDocument, type Operation } from './fields-parameters.ts';
import { isExpanded, nameIn, type Schema, schemaResolver } from './schemas.ts';

/**
 * Adds the parameter `expand` to each GET that shows a resource with fields of `Expanded…`, one or many. Its values are the
 * names of these fields.
 */
export function addExpandParameters({ paths = {}, components = {} }: ListDocument): void {
  const { parameters = {}, schemas = {} } = components as {
    parameters?: Record<string, unknown>;
    schemas?: Record<string, Schema>;
  };
  const resolve = schemaResolver(schemas);
  for (const { get } of Object.values(paths)) {
    const shown = get === undefined ? undefined : (itemOf(get, resolve) ?? dataOf(get, resolve));
    if (get === undefined || shown?.$ref === undefined) continue;
    const { properties = {} } = resolve(shown);
    const names = Object.keys(properties).filter((name) => isExpanded(properties[name] ?? {}));
    if (names.length === 0) continue;
    const component = `${nameIn(shown.$ref)}Expand`;
    parameters[component] ??= expandParameter(names);
    get.parameters = [...(get.parameters ?? []), { $ref: `#/components/parameters/${component}` }];
  }
}

/** The schema of the one resource that an operation shows. */
function dataOf({ responses = {} }: Operation, resolve: (schema: Schema) => Schema): Schema | undefined {
  return resolve(responses[200]?.content?.[JSON_TYPE]?.schema ?? {}).properties?.data;
}

function expandParameter(names: string[]) {
  return {
    name: 'expand',
    in: 'query',
    description:
      'Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is ' +
      '(`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`). Separate the names with commas, or ' +
      'repeat the parameter. You need the scope to read what you add, such as `users:read`. The answer is never a ' +
      '304.\n',
    style: 'form',
    explode: false,
    schema: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'string', enum: names } },
    example: names.slice(0, 2),
  };
}
