import type { ValidateFunction } from 'ajv';
import type { OperationId } from '../../../generated/operations.ts';
import type { Document } from './document.ts';
import {
  forResponses,
  JSON_TYPE,
  operationsOf,
  resolveSchema,
  type Schema,
  type SharedSchemas,
  sharedSchemas,
} from './schemas.ts';
import { createResponseValidator } from './validators.ts';

export interface ResponseChecks {
  /** Throws if the response breaks the contract: an undocumented status, a missing or extra field, a wrong type. */
  validateResponse(id: OperationId, status: number, body: unknown, mediaType?: string): void;
  /** The rows of a response that is sent row by row. Throws if the contract has no such response. */
  rowsOf(id: OperationId, status: number): RowRules;
}

/** The contract of the rows of a response that is sent row by row. */
export interface RowRules {
  /** The names of the fields; for objects, those of their members, such as `value.amount`. */
  columns: readonly string[];
  /** Throws if the row breaks the contract. */
  check(row: unknown): void;
}

/** The media type whose schema in the document is that of each row. */
const ROWS_TYPE = 'application/x-ndjson';

export function createResponseChecks(document: Document): ResponseChecks {
  const own = forResponses(document);
  const schemas = sharedSchemas(own);
  const operations = operationsOf(own);
  const ajv = createResponseValidator(schemas);

  return {
    validateResponse(id, status, body, mediaType = JSON_TYPE) {
      const content = operations.get(id)?.responses[status];
      if (content === undefined) throw new Error(`The contract has no response ${id} ${status}.`);
      const schema = content[mediaType];
      if (schema !== undefined) check(ajv.compile(schema), body, `The response ${id} ${status}`);
      else if (body !== undefined)
        throw new Error(`The response ${id} ${status} has no body in the contract.`);
    },
    rowsOf(id, status) {
      const schema = operations.get(id)?.responses[status]?.[ROWS_TYPE];
      if (schema === undefined) throw new Error(`The contract has no rows of ${id} ${status}.`);
      const isValid = ajv.compile(schema);
      return {
        columns: columnsOf(schemas, schema),
        check: (row) => check(isValid, row, `A row of ${id} ${status}`),
      };
    },
  };
}

/** `what` begins the message of the error. */
function check(isValid: ValidateFunction, value: unknown, what: string): void {
  if (isValid(value)) return;
  const [fault] = isValid.errors ?? [];
  throw new Error(`${what} breaks the contract: ${fault?.instancePath} ${fault?.message}.`);
}

/** The names of the fields; for objects, those of their members, such as `value.amount`. */
function columnsOf(schemas: SharedSchemas, schema: Schema): string[] {
  const { properties = {} } = resolveSchema(schemas, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const members = columnsOf(schemas, property as Schema);
    return members.length === 0 ? [name] : members.map((member) => `${name}.${member}`);
  });
}
