import { type RequestHandler, Router } from 'express';
import { scopes } from '../../../generated/operations.ts';
import type { Context } from '../../process/context.ts';
import { respond } from '../respond.ts';

/** The second one is OpenID Connect's, which OAuth libraries ask for by default; RFC 8414 section 5 allows it. */
const wellKnownPaths = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/** At the origin, RFC 8414: the well-known path goes between the origin and the issuer's path. */
export function serveMetadata(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  for (const context of contexts) {
    router.get(
      wellKnownPaths.map((path) => path + context.basePath),
      sendMetadata(context),
    );
  }
  return router;
}

/** Below a base URL, OpenID Connect Discovery: the well-known path goes after the issuer's path. */
export function serveMetadataOf(context: Context): RequestHandler {
  const send = sendMetadata(context);
  return (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    return isRead && wellKnownPaths.includes(req.path) ? send(req, res, next) : next();
  };
}

function sendMetadata({ baseUrl }: Context): RequestHandler {
  const metadata = {
    issuer: baseUrl,
    token_endpoint: `${baseUrl}/auth/token`,
    revocation_endpoint: `${baseUrl}/auth/revoke`,
    jwks_uri: `${baseUrl}/auth/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: scopes,
  };
  return (req, res) => {
    req.responseHeaders = { ...req.responseHeaders, 'Cache-Control': 'public, max-age=3600' };
    respond(req, res, 200, metadata);
  };
}
