import url from 'node:url';
import type { ValidateFunction } from 'ajv';
import type { RequestHandler, Response } from 'express';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
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
import { type OperationId, operations } from '../../generated/operations.ts';
import { isTimezone } from '../timezone.ts';
import { isDate, isInstantOrDate } from './instant-or-date.ts';
import { maxBytes } from './max-bytes.ts';
import { checkEscapes, checkIntegers, checkQuery, checkRepeats } from './query.ts';

export type Document = OpenAPIV3.DocumentV3_1;

/** The document at work. */
export interface Contract {
  /** Checks and coerces path, query, headers and body, and fills in defaults. Fails with the validator's error. */
  validateRequest: RequestHandler;
  /** The body as the operation takes it, with defaults filled in. Throws the validator's error. */
  checkBody(id: OperationId, body: unknown): unknown;
  /** Throws when the operation may not answer so: an undocumented status, a missing field, one too many, a wrong type. */
  validateResponse(id: OperationId, status: number, body: unknown): void;
}

/**
 * Checks requests and responses against the document. Throws when the document is not valid OpenAPI 3.1.
 *
 * These are express-openapi-validator's own request and response validators; only its look-up of the operation is
 * left out, since that one compiles a regular expression for every path of the document on every request. We know the
 * operation already (find-operation.ts). Loading at boot rather than at the first request also makes an invalid document
 * stop the start.
 */
export async function createContract(document: Document): Promise<Contract> {
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
    },
  });
  const spec = await new OpenApiSpecLoader({
    apiDoc: structuredClone(document),
    validateApiSpec: true,
    $refParser: { mode: 'bundle' },
  }).load();
  inlineParameters(spec.apiDoc as Document);
  const { apiDoc, apiDocRes } = new SchemaPreprocessor(
    spec.apiDoc,
    ajvOpts.preprocessor,
    options.validateResponses as ValidateResponseOpts,
  ).preProcess();
  const metadata = describeOperations(apiDoc as Document, apiDocRes as Document, spec.serial);
  const integers = new Map([...metadata].map(([id, { schema }]) => [id, integersIn(schema)]));
  const metadataOf = (id: OperationId) => metadata.get(id) as OperationMetadata;
  const requests = new RequestValidator(schemasOf(apiDoc), {
    ...ajvOpts.request,
    keywords: [maxBytes],
  });
  const responses = new ResponseValidator(schemasOf(apiDocRes), ajvOpts.response, {}, spec.serial);

  /** Compiled when the status is first given; a response that operations share, as most errors are, only once. */
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

  settleUrlWarning();
  return {
    validateRequest: (req, res, next) => {
      const { match, query, headers, body } = req;
      const operation = metadataOf(match.id);
      checkEscapes(req.url);
      checkQuery(query);
      checkRepeats(query, operation.schema.parameters ?? []);
      checkIntegers(query, integers.get(match.id) ?? []);
      // Not Express's request, whose query is a getter that parses the URL anew each time.
      const checked = {
        openapi: { ...operation, pathParams: match.path },
        method: req.method,
        path: req.path,
        // Without the query, in which it would refuse what RFC 3986 reserves, such as + for a space.
        originalUrl: req.path,
        headers,
        query,
        params: {},
        body,
      };
      requests.validate(checked as unknown as OpenApiRequest, res, () => {
        req.input = { path: match.path, query: checked.query, headers, body: checked.body };
        next();
      });
    },
    checkBody(id, body) {
      const openapi = { ...metadataOf(id), pathParams: {} };
      const headers = { 'content-type': 'application/json' };
      const request = {
        openapi,
        // So that it is the validator of the operation's requests, not a second one.
        method: operations[id].method.toUpperCase(),
        path: '',
        originalUrl: '',
        headers,
        query: {},
        params: {},
        body,
      };
      requests.validate(request as unknown as OpenApiRequest, {} as Response, () => undefined);
      return body;
    },
    validateResponse(id, status, body) {
      const validators = validatorsOf(id, status);
      const byMediaType = validators[status] as unknown as Record<string, ValidateFunction> | undefined;
      if (body !== undefined && byMediaType?.['application/json']?.({ response: body })) return;
      // Says what is wrong, or that the status has no body; too slow for each answer, since it negotiates the media type.
      responses._validate({ validators, body: body as object, statusCode: status, path: id, accepts: [] });
    },
  };
}

/** The validator follows the reference of each parameter on each request; here they are followed once. */
function inlineParameters(document: Document): void {
  const shared = document.components?.parameters ?? {};
  for (const item of Object.values(document.paths ?? {})) {
    // A path's own parameters are those of each of its operations.
    for (const holder of [item, item.get, item.put, item.post, item.patch, item.delete]) {
      if (holder?.parameters === undefined) continue;
      holder.parameters = holder.parameters.map((parameter) =>
        '$ref' in parameter ? structuredClone(shared[parameter.$ref.split('/').at(-1) ?? '']) : parameter,
      ) as OpenAPIV3.ParameterObject[];
    }
  }
}

/** The names of the query parameters that are integers. */
function integersIn({ parameters = [] }: OperationMetadata['schema']): string[] {
  return (parameters as OpenAPIV3.ParameterObject[])
    .filter(
      ({ in: place, schema = {} }) => place === 'query' && 'type' in schema && schema.type === 'integer',
    )
    .map(({ name }) => name);
}

/**
 * The document without what no schema refers to: the validators walk through all of it for each schema that they compile,
 * which with paths, responses and examples took a fifth of a second for each operation.
 */
function schemasOf<Any extends OpenAPIV3.DocumentV3 | OpenAPIV3.DocumentV3_1>(document: Any): Any {
  const { schemas, securitySchemes } = document.components ?? {};
  return { ...document, paths: {}, components: { schemas, securitySchemes } };
}

type OperationMetadata = OpenApiRequestMetadata & {
  _responseSchema: { responses: OpenAPIV3.ResponsesObject };
};

/**
 * The validator calls url.parse() for each request, and Node takes a stack trace on each such call of a dependency,
 * to see whether it should warn of a deprecation; until the first call from elsewhere, after which it has warned.
 */
function settleUrlWarning(): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  url.parse('');
  process.noDeprecation = noDeprecation;
}

/** What the validators want to know of an operation, for each of them. */
function describeOperations(
  requests: Document,
  responses: Document,
  serial: number,
): Map<OperationId, OperationMetadata> {
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
          serial,
        } as OperationMetadata,
      );
    }
  }
  return metadata;
}
