import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { operations as contractOperations } from '../generated/operations.ts';
import type { Config } from './config.ts';
import type { Contexts } from './context.ts';
import { basePaths, environments, mcpPaths } from './environment.ts';
import { authenticate, authorize } from './http/authenticate.ts';
import { parseBody, receiveBody } from './http/body/body.ts';
import { chain } from './http/chain.ts';
import { announceDeprecation } from './http/deprecation.ts';
import { errorHandler } from './http/errors/error-handler.ts';
import { findOperation, type Operations, routeNotFound } from './http/find-operation.ts';
import { serveHealth } from './http/health.ts';
import { admit, withMemory } from './http/limits/memory.ts';
import { limitRate } from './http/limits/rate-limit.ts';
import { createProcessShares, createShares } from './http/limits/shares.ts';
import { createInnerRequests } from './http/mcp/inner-requests.ts';
import { serveMcp } from './http/mcp/serve-mcp.ts';
import { findMcp } from './http/mcp-operation.ts';
import { logRequests } from './http/observers/logging.ts';
import { assignEnvironment, assignRequestId, bindContext, sendRequestId } from './http/request.ts';
import { createRouter } from './http/requests/router.ts';
import {
  allowAnyOrigin,
  apiHeaders,
  isHttps,
  mcpHeaders,
  pageHelmet,
  preflight,
  refuseForeignOrigin,
  requireHttps,
} from './http/security.ts';
import { simulate } from './http/simulate.ts';
import type { createContract } from './http/validation/contract.ts';
import type { Document } from './http/validation/document.ts';
import { checkHeaderSize, checkHeaders, negotiateMediaType } from './http/validation/request-headers.ts';
import { handlers } from './operations.ts';
import { serveMetadata, serveMetadataOf } from './pages/oauth-metadata.ts';
import { prepareDocument } from './prepare-document.ts';
import { Problem } from './problem.ts';

interface AppOptions {
  config: Pick<Config, 'environments' | 'databasePoolSize' | 'trustProxy' | 'tls'>;
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  document: Document;
  /** The operations of `document`. Defaults to the generated ones; tests pass deprecated ones. */
  operations?: Operations;
  /** An environment's context may be added while the app runs. */
  contexts: Contexts;
  logger: Logger;
  /** The service compiles the document once for the app and for imports. */
  compile?: typeof createContract;
  /** Tests pass a function that prepares each document once. */
  prepare?: typeof prepareDocument;
  /** Middlewares that see each request from its beginning to its end. */
  observers?: readonly RequestHandler[];
}

/** Builds the middleware stack, in the order in which a request passes through it. */
export async function createApp({
  config,
  publicUrl,
  document,
  operations = contractOperations,
  contexts,
  logger,
  compile,
  prepare = prepareDocument,
  observers = [],
}: AppOptions): Promise<Express> {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.set('query parser', 'simple').set('trust proxy', config.trustProxy ?? false);

  app.use(chain(assignRequestId, ...observers, logRequests(logger)));

  const overHttps = isHttps(config, publicUrl);
  const headers = apiHeaders(overHttps);
  const https = requireHttps(config.trustProxy !== undefined);
  const find = findOperation(operations);
  const announce = announceDeprecation(operations);
  const { contract, documents } = await prepare(document, {
    publicUrl,
    environments: config.environments,
    compile,
  });
  const router = createRouter(handlers, contract);
  const shared = createProcessShares();
  const mcp = serveMcp(createInnerRequests(app));
  for (const environment of config.environments) {
    const basePath = basePaths[environment];
    const shares = createShares(config.databasePoolSize, shared);
    app.use(
      basePath,
      chain(
        assignEnvironment(environment, headers),
        checkHeaders, // 400
        preflight,
        https, // 403
        serveMetadataOf(publicUrl + basePath),
        bindContext(contexts), // 503
        find, // 404 405 414
        checkHeaderSize, // 431
        announce, // Deprecation, Sunset
        negotiateMediaType, // 406
        authenticate, // 401
        limitRate, // 429
        authorize, // 403
        simulate, // in the sandbox: 400 412 429 503, or a delay
        admit(shares), // 503
        receiveBody, // 413 415
        withMemory(
          chain(
            parseBody, // 400
            contract.validateRequest, // 400 404 422
            router, // 503
          ),
        ),
      ),
    );
    app.use(
      mcpPaths[environment],
      chain(
        assignEnvironment(environment, mcpHeaders(overHttps)),
        checkHeaders, // 400
        https, // 403
        refuseForeignOrigin(publicUrl), // 403
        bindContext(contexts), // 503
        findMcp, // 404 405
        checkHeaderSize, // 431
        negotiateMediaType, // 406
        authenticate, // 401
        limitRate, // 429
        admit(shares), // 503
        receiveBody, // 413 415
        mcp, // 400; what fails in a tool is a result
      ),
    );
  }
  app.use(helmet(pageHelmet(overHttps)), allowAnyOrigin, sendRequestId, checkHeaders);
  app.use(serveHealth(config.environments, contexts));
  app.use(https, serveMetadata(publicUrl, config.environments), documents);
  for (const environment of environments.filter((one) => !config.environments.includes(one))) {
    app.use(basePaths[environment], () => {
      throw new Problem('not_found', `This service does not run the ${environment} environment.`);
    });
  }
  const places = config.environments.map((environment) => basePaths[environment]).join(' and ');
  app.use((req) => {
    throw routeNotFound(req, `The API is at ${places}, the guides are at /guides/.`);
  });
  app.use(errorHandler(contract, logger));
  return app;
}
