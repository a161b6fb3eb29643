import type { ValidateFunction } from 'ajv';
import type { OpenAPIV3, OpenApiRequest } from 'express-openapi-validator/dist/framework/types.js';
import type { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';

/** What the contract says of each row of a response that is sent row by row. */
export interface RowRules {
  /** What each row has, the members of objects as `value.amount`. */
  fields: readonly string[];
  /** Throws if the row breaks the contract. */
  check(row: unknown): void;
}

/** The media type whose schema in the document is that of each row. */
const ROWS = 'application/x-ndjson';
/** The only one that the validator knows. A line of NDJSON is that. */
const JSON_TYPE = 'application/json';

/** `name` identifies the response. Throws if it documents no rows. */
export function createRowRules(
  validator: ResponseValidator,
  schemas: OpenAPIV3.ComponentsObject['schemas'] = {},
  name: string,
  response: OpenAPIV3.ResponseObject | OpenAPIV3.ReferenceObject | undefined,
): RowRules {
  const schema = response && 'content' in response ? response.content?.[ROWS]?.schema : undefined;
  if (schema === undefined) throw new Error(`The response ${name} documents no rows.`);
  const key = { method: name, openapi: { expressRoute: 'row' }, headers: {} };
  const row = { description: '', content: { [JSON_TYPE]: { schema } } };
  const built = validator._getOrBuildValidator(key as unknown as OpenApiRequest, { 200: row });
  const isValid = (built[200] as unknown as Record<string, ValidateFunction>)[JSON_TYPE] as ValidateFunction;
  return {
    fields: fieldsOf(schemas, schema),
    check(row) {
      if (isValid({ response: row })) return;
      const [fault] = isValid.errors ?? [];
      throw new Error(`A row of ${name} breaks the contract: ${fault?.instancePath} ${fault?.message}.`);
    },
  };
}

/** The names of the fields; of an object with fields of its own, theirs: `value.amount`. */
function fieldsOf(schemas: Record<string, Schema>, schema: Schema): string[] {
  const { properties = {} } = resolve(schemas, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const members = fieldsOf(schemas, property);
    return members.length === 0 ? [name] : members.map((member) => `${name}.${member}`);
  });
}

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

function resolve(schemas: Record<string, Schema>, schema: Schema): OpenAPIV3.SchemaObject {
  if (!('$ref' in schema)) return schema;
  return resolve(schemas, schemas[schema.$ref] ?? {});
}
