import { isExpanded, nameIn, type Schema } from './schemas.ts';
import type { YamlFiles } from './yaml-files.ts';

interface ChangeSchema extends Schema {
  'x-change'?: Schema;
  'x-changes-of'?: { $ref: string };
  'x-constant'?: string[];
  'x-changed-in'?: string[];
}

/** A change of a longer value has digests instead. */
const MAX_LENGTH = 1_000;

const SET_BY_THE_SERVICE = ['id', 'created_at', 'updated_at', 'version'];

/**
 * Adds to events.yaml what `changes` of an event can have: `from` and `to` in each schema with `x-change`, and in each with
 * `x-changes-of` the fields of that resource. Makes the fields of several such schemas the enum of one with `x-changed-in`.
 */
export function addChangeSchemas(files: YamlFiles): void {
  const schemas: Record<string, ChangeSchema> = files['events.yaml']?.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    const { 'x-change': value, 'x-changes-of': resource } = schema;
    if (value !== undefined) schemas[name] = changeSchema(schema, value);
    if (resource !== undefined)
      schemas[name] = changesSchema(schema, resourceIn(files, resource.$ref), schemas);
  }
  for (const [name, { 'x-changed-in': changed, ...schema }] of Object.entries(schemas)) {
    if (changed !== undefined) schemas[name] = { ...schema, enum: fieldsIn(changed, schemas) };
  }
}

/** The names of the fields that these schemas have, each once and without the names of digests. */
function fieldsIn(changes: readonly string[], schemas: Record<string, Schema>): string[] {
  const names = changes.flatMap((name) => Object.keys(schemas[name]?.properties ?? {}));
  return [...new Set(names.map((name) => name.replace(/_sha256$/, '')))].toSorted();
}

function changeSchema({ description }: ChangeSchema, value: Schema): Schema {
  const what = value.description ?? 'The value';
  return {
    type: 'object',
    description,
    additionalProperties: false,
    required: ['from', 'to'],
    properties: {
      from: { ...value, description: `${what} before the change.` },
      to: { ...value, description: `${what} after the change.` },
    },
  };
}

function changesSchema(
  { description, properties = {}, 'x-constant': constant = [] }: ChangeSchema,
  resource: Schema,
  schemas: Record<string, Schema>,
): Schema {
  const own = Object.entries(resource.properties ?? {}).filter(
    ([name, field]) => !SET_BY_THE_SERVICE.includes(name) && !constant.includes(name) && !isExpanded(field),
  );
  const fields = own.flatMap(([name, field]): [string, Schema][] => {
    const change: [string, Schema] = [name, properties[name] ?? changeOf(name, field, schemas)];
    return isLong(field) ? [change, [`${name}_sha256`, inEvents('DigestChange')]] : [change];
  });
  return { type: 'object', description, additionalProperties: false, properties: Object.fromEntries(fields) };
}

/** The change that is named after the field's schema, or after the field, or else the one of a text. */
function changeOf(name: string, { $ref = '', type }: Schema, schemas: Record<string, Schema>): Schema {
  if (name.endsWith('_sha256')) return inEvents('DigestChange');
  const own = [nameIn($ref), name.charAt(0).toUpperCase() + name.slice(1)].find(
    (start) => `${start}Change` in schemas,
  );
  return inEvents(`${own ?? (type?.includes('null') ? 'OptionalText' : 'Text')}Change`);
}

function isLong({ $ref, type, maxLength = 0 }: Schema): boolean {
  return $ref === undefined && (type === 'array' || type === 'object' || maxLength > MAX_LENGTH);
}

function inEvents(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function resourceIn(files: YamlFiles, $ref: string): Schema {
  const [file = ''] = $ref.replace('./', '').split('#');
  const resource = files[file]?.components?.schemas?.[nameIn($ref)];
  if (resource === undefined) throw new Error(`openapi/events.yaml: ${$ref} does not exist`);
  return resource;
}
