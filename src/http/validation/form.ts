import { type OperationSchemas, resolveSchema, type SharedSchemas } from './schemas.ts';

/** The fields of the operation's form, with their types. Undefined if it takes no form, or a form with any fields. */
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
 * Drops unknown fields, which a token endpoint must ignore (RFC 6749 section 3.2), also if they were sent as JSON. Converts
 * the integers of a form, which arrive as text.
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
