import { type OperationSchemas, resolveSchema, type SharedSchemas } from './schemas.ts';

/** The fields that a form of this operation may have, with their types. Undefined if it has no form, or one that may have any. */
export function formFields(
  bodies: OperationSchemas['bodies'],
  schemas: SharedSchemas,
): ReadonlyMap<string, unknown> | undefined {
  const schema = bodies['application/x-www-form-urlencoded'] ?? {};
  const { additionalProperties, properties = {} } = resolveSchema(schemas, schema);
  if (additionalProperties !== false) return undefined;
  return new Map(
    Object.entries(properties).map(([name, property]) => [name, 'type' in property && property.type]),
  );
}

/**
 * RFC 6749 section 3.2: a server ignores the parameters that it does not know. So it does where they are sent as JSON instead
 * of a form. A number is text in a form.
 */
export function keepFields(
  body: Record<string, unknown>,
  fields: ReadonlyMap<string, unknown> | undefined,
  isForm: boolean,
): object {
  if (fields === undefined) return body;
  const known = Object.entries(body).filter(([name]) => fields.has(name));
  return Object.fromEntries(
    known.map(([name, value]) => {
      const isInteger = isForm && fields.get(name) === 'integer' && /^\d{1,15}$/.test(String(value));
      return [name, isInteger ? Number(value) : value];
    }),
  );
}
