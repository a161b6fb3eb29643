import type { ValidateFunction } from 'ajv';
import type { Request, RequestHandler, Response } from 'express';
import type {
  OpenAPIV3,
  OpenApiRequest,
  OpenApiRequestMetadata,
  ValidateResponseOpts,
} from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import {
  operations as contractOperations,
  type Operation,
  type OperationId,
} from '../../../generated/operations.ts';
import { isDate, isInstantOrDate } from '../../values/instant-or-date.ts';
import { isTimezone } from '../../values/timezone.ts';
import { isForm } from '../body.ts';
import type { Operations } from '../find-operation.ts';
import { takeItems } from './checked-items.ts';
import { formFields, keepFields } from './form.ts';
import { maxBytes } from './max-bytes.ts';
import { checkPathTexts, pathTextsOf } from './path.ts';
import {
  byUri,
  inlineParameters,
  referByUri,
  withoutLimits,
  withoutMappings,
  withoutParts,
} from './prepared-document.ts';
import {
  checkDuplicates,
  checkEscapes,
  checkIntegers,
  checkQuery,
  gatherObjects,
  type QueryTypes,
  queryTypes,
  unifySpelling,
} from './query.ts';
import { createRowRules, type RowRules } from './row-rules.ts';

export type Document = OpenAPIV3.DocumentV3_1;

/** Validates requests and responses against the document. */
export interface Contract {
  /** Validates and coerces path, query, headers and body, and fills in defaults. Fails with the validator's error. */
  validateRequest: RequestHandler;
  /** Validates a body of this operation and returns it with defaults filled in. Throws the validator's error. */
  checkBody(id: OperationId, body: unknown): unknown;
  /** The same for an item of a list in the body whose items the contract has checked one by one. */
  checkItem(id: OperationId, item: unknown): unknown;
  /** Validates a query of this operation like that of a request, and returns it coerced. Throws the validator's error. */
  checkQuery(id: OperationId, query: Record<string, string | string[]>): unknown;
  /** The rows of a response that is sent row by row. Throws if the contract has no such response. */
  rowsOf(id: OperationId, status: number): RowRules;
  /** Throws if the response breaks the contract: an undocumented status, a missing or extra field, a wrong type. */
  validateResponse(id: OperationId, status: number, body: unknown): void;
}

/**
 * The preprocessor gives its own Ajv all of the document, compiles each schema to read it, and each member of a union with a
 * discriminator in case a request has it, which takes half a second. Without, it looks in the document.
 */
const notCompiling = {
  getSchema: () => undefined,
  compile: () => () => {
    throw new Error('A discriminator in a request body is not supported: contract.ts compiles none.');
  },
};

/**
 * By default the validator turns Dates in responses into text. Handlers return text, and a keyword for each date keeps what
 * Ajv compiled its schema from: 5 MiB.
 */
const noDates = {};

/** Optimizing takes most of the time of compiling, and V8 does it again. */
const code = { optimize: false };

type RequestParts = Record<'path' | 'query' | 'headers', Request['query']> & { body: unknown };

/**
 * Compiles the document, which must be valid OpenAPI 3.1: `npm run generate` makes no other.
 *
 * Uses express-openapi-validator's request and response validators without its operation lookup, which compiles a regular
 * expression for every path of the document on every request; find-operation.ts has already found the operation. Also
 * without its loader, which looks for files that the document refers to: all of it is in one. `operations` are those of
 * the document.
 */
export function createContract(document: Document, operations: Operations = contractOperations): Contract {
  const { options, ajvOpts } = new OpenApiValidator({
    apiSpec: document,
    validateApiSpec: true,
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
    formats: {
      'instant-or-date': { type: 'string', validate: isInstantOrDate },
      date: { type: 'string', validate: isDate },
      timezone: { type: 'string', validate: isTimezone },
      // For generators. What a value may be, minimum and maximum say.
      int32: { type: 'number', validate: () => true },
    },
  });
  const operationOf = (id: OperationId) => operations[id] as Operation;
  const own = structuredClone(document);
  inlineParameters(own);
  const preprocessor = new SchemaPreprocessor(
    withoutParts(own),
    { ...ajvOpts.preprocessor, serDesMap: noDates },
    options.validateResponses as ValidateResponseOpts,
  );
  Object.assign(preprocessor, { apiDoc: own, ajv: notCompiling });
  const { apiDoc, apiDocRes } = preprocessor.preProcess();
  for (const each of [apiDoc, apiDocRes]) referByUri(each);
  const metadata = describeOperations(apiDoc as Document, apiDocRes as Document);
  const items = new Map(
    [...metadata].map(([id, own]) => [id, takeItems(own, operationOf(id).checkedByItem)]),
  );
  const types = new Map([...metadata].map(([id, { schema }]) => [id, queryTypes(schema)]));
  const pathTexts = new Map([...metadata].map(([id, { schema }]) => [id, pathTextsOf(schema)]));
  const requestSchemas = byUri(apiDoc);
  const forms = new Map([...metadata].map(([id, { schema }]) => [id, formFields(schema, requestSchemas)]));
  const metadataOf = (id: OperationId) => metadata.get(id) as OperationMetadata;
  const requests = new RequestValidator(withoutParts(apiDoc), {
    ...ajvOpts.request,
    code,
    keywords: [maxBytes],
    schemas: requestSchemas,
  });
  const schemas = withoutLimits(byUri(withoutMappings(apiDocRes)));
  const responses = new ResponseValidator(withoutParts(apiDocRes), {
    ...ajvOpts.response,
    code,
    discriminator: true,
    schemas,
  });

  /** Compiled on first use. A response shared between operations, like most errors, is compiled only once. */
  function validatorsOf(id: OperationId, status: number) {
    const documented = metadataOf(id)._responseSchema.responses[status];
    const shared = documented !== undefined && '$ref' in documented ? documented.$ref : undefined;
    const response =
      shared === undefined ? documented : apiDocRes.components?.responses?.[shared.split('/').at(-1) ?? ''];
    const key = { method: shared ?? id, openapi: { expressRoute: String(status) }, headers: {} };
    return responses._getOrBuildValidator(
      key as unknown as OpenApiRequest,
      response === undefined ? {} : { [status]: response },
    );
  }

  /** Coerces the query and fills in defaults. Throws the validator's error. */
  function validate(
    id: OperationId,
    method: string,
    { path, query: given, headers, body }: RequestParts,
    checkedAs = metadataOf(id),
  ) {
    const ownTypes = types.get(id) as QueryTypes;
    const query = unifySpelling(given, ownTypes);
    checkQuery(query, ownTypes);
    checkDuplicates(query, ownTypes);
    checkIntegers(query, ownTypes);
    // Not Express's request: its `query` is a getter that parses the URL on each access.
    const checked = {
      openapi: { ...checkedAs, pathParams: path },
      // Part of the validator's cache key.
      method: method.toUpperCase(),
      path: '',
      // The validator would reject RFC 3986 reserved characters in the query, such as + for a space.
      originalUrl: '',
      headers,
      query: gatherObjects(query, ownTypes),
      params: {},
      body,
    };
    requests.validate(checked as unknown as OpenApiRequest, {} as Response, () => undefined);
    // The validator sets an object that is absent to undefined.
    const present = Object.entries(checked.query).filter(([, value]) => value !== undefined);
    return { path, query: Object.fromEntries(present), headers, body: checked.body };
  }

  return {
    validateRequest: (req, _res, next) => {
      const { match, method, query, headers, body } = req;
      checkEscapes(req.url);
      checkPathTexts(match.path, pathTexts.get(match.id) ?? []);
      const fields = keepFields(body, forms.get(match.id), isForm(req));
      req.input = validate(match.id, method, { path: match.path, query, headers, body: fields });
      next();
    },
    checkBody(id, body) {
      const headers = { 'content-type': 'application/json' };
      return validate(id, operationOf(id).method, { path: {}, query: {}, headers, body }).body;
    },
    checkItem(id, item) {
      const parts = { path: {}, query: {}, headers: { 'content-type': 'application/json' }, body: item };
      return validate(id, operationOf(id).method, parts, items.get(id)).body;
    },
    checkQuery(id, query) {
      const { method, consumes } = operationOf(id);
      const [mediaType] = consumes;
      const headers = mediaType === undefined ? {} : { 'content-type': mediaType };
      return validate(id, method, { path: {}, query, headers, body: '' }).query;
    },
    rowsOf(id, status) {
      const response = metadataOf(id)._responseSchema.responses[status];
      return createRowRules(responses, schemas, `${id} ${status}`, response);
    },
    validateResponse(id, status, body) {
      const validators = validatorsOf(id, status);
      const byMediaType = validators[status] as unknown as Record<string, ValidateFunction> | undefined;
      if (body !== undefined && byMediaType?.['application/json']?.({ response: body })) return;
      // Throws the detailed error, or accepts a status without a body. Too slow for every response: it negotiates the media type.
      responses._validate({ validators, body: body as object, statusCode: status, path: id, accepts: [] });
    },
  };
}

type OperationMetadata = OpenApiRequestMetadata & {
  _responseSchema: { responses: OpenAPIV3.ResponsesObject };
};

/** The metadata that the validators need, by operation. */
function describeOperations(requests: Document, responses: Document): Map<OperationId, OperationMetadata> {
  const metadata = new Map<OperationId, OperationMetadata>();
  for (const [path, item] of Object.entries(requests.paths ?? {})) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const schema = item?.[method];
      if (schema === undefined) continue;
      metadata.set(
        schema.operationId as OperationId,
        {
          expressRoute: path,
          openApiRoute: path,
          pathParams: {},
          schema,
          _responseSchema: responses.paths?.[path]?.[method],
        } as OperationMetadata,
      );
    }
  }
  return metadata;
}
