import type { RequestHandler } from 'express';
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import type {
  OpenAPIV3,
  OpenApiRequest,
  ValidateResponseOpts,
} from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { OperationId } from '../../generated/operations.ts';
import { isInstantOrDate } from './instant-or-date.ts';
import { checkNumbers, checkQuery } from './query.ts';

export type Document = OpenAPIV3.DocumentV3_1;

/**
 * Checks requests and responses against the document. Throws when the document is not valid OpenAPI 3.1.
 *
 * These are express-openapi-validator's own request and response validators; only its look-up of the operation is
 * left out, since that one compiles a regular expression for every path of the document on every request. We know the
 * operation already (find-operation.ts) and set `req.openapi` from a map. Loading at boot rather than at the first request
 * also makes an invalid document stop the start.
 */
export async function createContract(document: Document): Promise<RequestHandler[]> {
  const { options, ajvOpts } = new OpenApiValidator({
    apiSpec: document,
    validateApiSpec: true,
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
    formats: { 'instant-or-date': { type: 'string', validate: isInstantOrDate } },
  });
  const spec = await new OpenApiSpecLoader({
    apiDoc: structuredClone(document),
    validateApiSpec: true,
    $refParser: { mode: 'bundle' },
  }).load();
  const { apiDoc, apiDocRes } = new SchemaPreprocessor(
    spec.apiDoc,
    ajvOpts.preprocessor,
    options.validateResponses as ValidateResponseOpts,
  ).preProcess();
  const metadata = describeOperations(apiDoc as Document, apiDocRes as Document, spec.serial);
  const requests = new RequestValidator(apiDoc, ajvOpts.request);
  const responses = new ResponseValidator(apiDocRes, ajvOpts.response, {}, spec.serial);

  const describe: RequestHandler = (req, _res, next) => {
    (req as unknown as OpenApiRequest).openapi = {
      ...(metadata.get(req.match.id) as OperationMetadata),
      pathParams: req.match.path as Record<string, string>,
    };
    next();
  };
  const validateRequest: RequestHandler = (req, res, next) => {
    checkQuery(req.query);
    requests.validate(req as unknown as OpenApiRequest, res, () => {
      checkNumbers(req.query);
      next();
    });
  };
  return [describe, validateRequest, responses.validate() as unknown as RequestHandler];
}

type OperationMetadata = NonNullable<OpenApiRequest['openapi']>;

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
