import type { ErrorObject } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { RequestHandler } from 'express';
import type { OperationId } from '../../../generated/operations.ts';
import type { OperationContext } from '../../operation.ts';
import { invalidParameter } from '../../problem.ts';
import { checkText, isForm } from '../body/body.ts';
import type { Operations } from '../find-operation.ts';
import type { Document } from './document.ts';
import { createFaultTranslator, type Faults } from './fault-translator.ts';
import { keepFields } from './form.ts';
import { checkPathTexts } from './path.ts';
import { checkEscapes, readQuery } from './query.ts';
import { type RequestRules, requestRules } from './request-rules.ts';
import { JSON_TYPE, operationsOf, type Schema, sharedSchemas } from './schemas.ts';
import { createRequestValidators } from './validators.ts';

/** Each of these throws the Problem that an invalid request gets. */
export interface RequestChecks extends Pick<OperationContext, 'checkBody' | 'checkItem'> {
  /** Validates and coerces path, query, headers and body, and fills in defaults. */
  validateRequest: RequestHandler;
  /** Validates the query of an operation that a command runs, and returns it coerced. */
  checkQuery(id: OperationId, query: Record<string, string | string[]>): unknown;
}

export function createRequestChecks(document: Document, operations: Operations): RequestChecks {
  const schemas = sharedSchemas(document);
  const translateFaults = createFaultTranslator(document);
  const { forParameters, forBodies, parametersSchema } = createRequestValidators(schemas);
  const rules = new Map(
    Array.from(operationsOf(document), ([id, operation]) => [
      id,
      requestRules(operation, schemas, operations[id]?.checkedByItem, parametersSchema),
    ]),
  );
  const rulesOf = (id: OperationId) => rules.get(id) as RequestRules;

  function check(faults: Faults, pathTexts: readonly string[] = []): void {
    if (faults.parameters.length + faults.body.length > 0) throw translateFaults(faults, pathTexts);
  }

  function checkValue<Value>(value: unknown, schema: Schema | undefined): Value {
    checkText(value);
    check({ parameters: [], body: faultsOf(forBodies, schema, value) });
    return value as Value;
  }

  return {
    validateRequest: (req, _res, next) => {
      const { match, headers } = req;
      const own = rulesOf(match.id);
      checkEscapes(req.url);
      checkPathTexts(match.path, own.pathTexts);
      const query = readQuery(req.query, own.query);
      // The handler checks a raw body.
      const schema = match.operation.rawBody ? undefined : own.bodies[headers['content-type'] ?? ''];
      const body = keepFields(req.body, own.formFields, isForm(req));
      const input = { path: match.path, query, headers, body };
      const faults = {
        parameters: faultsOf(forParameters, own.parameters, { params: match.path, query, headers }),
        body: faultsOf(forBodies, schema, body),
      };
      check(faults, own.pathTexts);
      req.input = input;
      next();
    },
    checkQuery(id, given) {
      const own = rulesOf(id);
      // Absent in a URL, but not where somebody wrote an option.
      for (const [name, value] of Object.entries(given))
        if ([value].flat().includes('')) throw invalidParameter(name, 'must not be empty');
      const query = readQuery(given, own.query);
      check({ parameters: faultsOf(forParameters, own.parameters, { query }), body: [] });
      return query;
    },
    checkBody: (id, body) => checkValue(body, rulesOf(id).bodies[JSON_TYPE]),
    checkItem: (id, item) => checkValue(item, rulesOf(id).item),
  };
}

/** Coerces types and fills in defaults, in place. Ajv compiles each schema once. */
function faultsOf(ajv: Ajv2020, schema: Schema | undefined, value: unknown): ErrorObject[] {
  if (schema === undefined) return [];
  const isValid = ajv.compile(schema);
  return isValid(value) ? [] : (isValid.errors ?? []);
}
