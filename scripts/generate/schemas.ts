/** A JSON Schema, as far as the generator reads it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: boolean;
  default?: unknown;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minProperties?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

/** A function that follows `$ref`. What stands beside a reference wins. */
export function schemaResolver(schemas: Record<string, Schema>): (schema: Schema) => Schema {
  const resolve = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : { ...resolve(schemas[nameIn($ref)] ?? {}), ...schema };
  return resolve;
}

/** Whether the field is one that only `expand` shows. It is not required. */
export function isExpanded({ $ref }: Schema): boolean {
  return nameIn(String($ref)).startsWith('Expanded');
}

export function nameIn($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}
