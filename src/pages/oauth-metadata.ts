import { type RequestHandler, Router } from 'express';
import { scopes } from '../../generated/operations.ts';
import type { Context } from '../context.ts';
import { RESOURCE_METADATA_PATH } from '../http/resource-metadata.ts';
import { respond } from '../http/respond.ts';

/** The second one is OpenID Connect's. OAuth libraries request it by default, and RFC 8414 section 5 allows it. */
const wellKnownPaths = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/** At the origin, RFC 8414 and RFC 9728: the well-known path goes between the origin and the environment's path. */
export function serveMetadata(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  for (const context of contexts) {
    router.get(
      wellKnownPaths.map((path) => path + context.basePath),
      sendMetadata(context),
    );
    router.get(RESOURCE_METADATA_PATH + context.basePath, send(resourceMetadata(context)));
  }
  return router;
}

/** Below a base URL, OpenID Connect Discovery: the well-known path goes after the issuer's path. */
export function serveMetadataOf(context: Context): RequestHandler {
  const sendOwn = sendMetadata(context);
  return (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    return isRead && wellKnownPaths.includes(req.path) ? sendOwn(req, res, next) : next();
  };
}

function resourceMetadata({ baseUrl, basePath }: Context) {
  return {
    resource: baseUrl,
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl.slice(0, -basePath.length)}/docs/`,
  };
}

function sendMetadata({ baseUrl }: Context): RequestHandler {
  return send({
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/auth/token`,
    revocation_endpoint: `${baseUrl}/auth/revoke`,
    jwks_uri: `${baseUrl}/auth/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: scopes,
  });
}

function send(metadata: object): RequestHandler {
  return (req, res) => {
    req.responseHeaders = { ...req.responseHeaders, 'Cache-Control': 'public, max-age=3600' };
    respond(req, res, 200, metadata);
  };
}
