import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { literal } from './literal.ts';

export interface ErrorCode {
  status: number;
  /** The name of a condition, if other codes have the same status. */
  when?: string;
  /** What went wrong. */
  cause: string;
  /** What the client can do about it. */
  remedy: string;
}

type Operation = OpenAPI.OperationObject & { 'x-error-codes'?: string[] };

export type CodedDocument = OpenAPI.Document & {
  'x-error-codes'?: Record<string, ErrorCode>;
  'x-error-codes-by-operation'?: Record<string, string[]>;
};

interface Taken {
  operation: Operation;
  /** Names of components. */
  parameters: (string | undefined)[];
}

const conditions: Record<string, (taken: Taken) => boolean> = {
  always: () => true,
  'JSON body': ({ operation }) => 'application/json' in Object(Object(operation.requestBody).content),
  'body or acting user': ({ operation, parameters }) =>
    operation.requestBody !== undefined || parameters.includes('ActingUser'),
  credential: ({ operation }) => operation.security?.[0] !== undefined,
  scopes: ({ operation: { security = [] } }) =>
    Object.values(security[0] ?? {}).some(({ length }) => length > 0),
  'response Merged': ({ operation }) => Object(operation.responses?.[410]).$ref?.endsWith('/Merged') === true,
  cursor: ({ parameters }) => parameters.includes('Cursor'),
  'idempotency key': ({ parameters }) => parameters.includes('IdempotencyKey'),
};

/**
 * Adds `x-error-codes` to each operation: the codes that it can give, other than those that every operation can give, whose
 * `when` is `always`. Also adds all codes to the schema of errors.
 */
export function addErrorCodes(document: CodedDocument): void {
  const { 'x-error-codes': codes, 'x-error-codes-by-operation': listed = {}, paths = {} } = document;
  if (codes === undefined) return;
  const { code } = Object(document.components?.schemas?.ApiError).properties;
  code['x-extensible-enum'] = Object.keys(codes);
  delete document['x-error-codes-by-operation'];
  const unused = new Map(Object.entries(listed));
  for (const { parameters: shared = [], ...item } of Object.values(paths) as OpenAPI.PathItemObject[]) {
    for (const operation of Object.values(item) as Operation[]) {
      const { operationId = '', parameters = [] } = operation;
      const names = [...shared, ...parameters].map((one) =>
        '$ref' in one ? one.$ref.split('/').at(-1) : '',
      );
      const own = unused.get(operationId) ?? [];
      unused.delete(operationId);
      operation['x-error-codes'] = codesOf({ operation, parameters: names }, own, codes);
    }
  }
  const [unknown] = unused.keys();
  if (unknown !== undefined)
    throw new Error(`error-codes-by-operation.yaml: there is no operation ${unknown}`);
}

function codesOf(taken: Taken, listed: string[], codes: Record<string, ErrorCode>): string[] {
  const { operationId, responses = {} } = taken.operation;
  const all = Object.entries(codes).filter(([, { status }]) => status in responses);
  const implied = all.flatMap(([code, { status, when }]) => {
    const isOnly = all.filter(([, other]) => other.status === status).length === 1;
    return (when === undefined ? isOnly : conditionOf(code, when)(taken)) ? [code] : [];
  });
  const wrong = listed.find((code) => implied.includes(code) || !all.some(([known]) => known === code));
  if (wrong !== undefined) {
    const reason = implied.includes(wrong)
      ? 'follows from error-codes.yaml'
      : 'is unknown, or its status undocumented';
    throw new Error(`error-codes-by-operation.yaml: ${operationId}: ${wrong} ${reason}`);
  }
  const given = all.filter(([code]) => implied.includes(code) || listed.includes(code));
  const bare = Object.keys(responses).find(
    (status) => status >= '400' && !given.some(([, code]) => String(code.status) === status),
  );
  if (bare !== undefined) throw new Error(`${operationId} documents ${bare}, but no code of this status`);
  return given.flatMap(([code, { when }]) => (when === 'always' ? [] : [code]));
}

function conditionOf(code: string, when: string) {
  const condition = conditions[when];
  if (condition === undefined)
    throw new Error(`error-codes.yaml: ${code} has the unknown condition "${when}"`);
  return condition;
}

/** The statuses of the codes. */
export function errorCodesSource({ 'x-error-codes': codes = {} }: CodedDocument): string {
  const statuses = Object.fromEntries(Object.entries(codes).map(([code, { status }]) => [code, status]));
  return `/** The error codes with their statuses. */
export const errorCodes = ${literal(statuses)} as const;
`;
}
