import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { formFields } from './form.ts';
import { pathTextsOf } from './path.ts';
import { type QueryTypes, queryTypes } from './query.ts';
import {
  JSON_TYPE,
  type OperationSchemas,
  type Parameter,
  resolveSchema,
  type Schema,
  type SharedSchemas,
} from './schemas.ts';

/** What validates the requests of an operation. */
export interface RequestRules {
  query: QueryTypes;
  pathTexts: readonly string[];
  formFields: ReadonlyMap<string, unknown> | undefined;
  /** Of an object with the parameters in `query`, `headers` and `params`. */
  parameters: Schema;
  /** By media type. */
  bodies: Readonly<Record<string, Schema>>;
  /** Schema of an item of the list `checkedByItem`. */
  item: Schema | undefined;
}

/** The items of the list `checkedByItem` are not part of the body's schema, so that an invalid item doesn't fail the request. */
export function requestRules(
  { parameters, bodies }: OperationSchemas,
  schemas: SharedSchemas,
  checkedByItem: string | null | undefined,
  parametersSchema: (parameters: readonly Parameter[]) => Schema,
): RequestRules {
  const rules = {
    query: queryTypes(parameters),
    pathTexts: pathTextsOf(parameters),
    formFields: formFields(bodies, schemas),
    parameters: parametersSchema(parameters),
  };
  const json = bodies[JSON_TYPE];
  if (typeof checkedByItem !== 'string' || json === undefined) return { ...rules, bodies, item: undefined };
  const body = resolveSchema(schemas, json);
  const list = body.properties?.[checkedByItem] as OpenAPI.ArraySchemaObject;
  const properties = { ...body.properties, [checkedByItem]: { ...list, items: {} } };
  return { ...rules, bodies: { ...bodies, [JSON_TYPE]: { ...body, properties } }, item: list.items };
}
