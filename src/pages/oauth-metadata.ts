import { type RequestHandler, Router } from 'express';
import { scopes } from '../../generated/operations.ts';
import { basePaths, type Environment, mcpPaths } from '../environment.ts';
import { RESOURCE_METADATA_PATH } from '../http/resource-metadata.ts';
import { respond } from '../http/respond.ts';

/** The second one is OpenID Connect's. OAuth libraries request it by default, and RFC 8414 section 5 allows it. */
const wellKnownPaths = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/** At the origin, RFC 8414 and RFC 9728: the well-known path goes between the origin and the environment's path. */
export function serveMetadata(publicUrl: string, environments: readonly Environment[]): RequestHandler {
  const router = Router();
  for (const environment of environments) {
    const basePath = basePaths[environment];
    router.get(
      wellKnownPaths.map((path) => path + basePath),
      sendMetadata(publicUrl + basePath),
    );
    for (const path of [basePath, mcpPaths[environment]]) {
      const metadata = resourceMetadata(publicUrl + path, publicUrl + basePath, publicUrl);
      router.get(RESOURCE_METADATA_PATH + path, send(metadata));
    }
  }
  return router;
}

/** Below a base URL, OpenID Connect Discovery: the well-known path goes after the issuer's path. */
export function serveMetadataOf(baseUrl: string): RequestHandler {
  const sendOwn = sendMetadata(baseUrl);
  return (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    return isRead && wellKnownPaths.includes(req.path) ? sendOwn(req, res, next) : next();
  };
}

function resourceMetadata(resource: string, issuer: string, publicUrl: string) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${publicUrl}/docs/`,
  };
}

function sendMetadata(baseUrl: string): RequestHandler {
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
    // OpenID Connect requires both, and Spring's `issuer-uri` refuses metadata without. There are no users to sign in.
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
  });
}

function send(metadata: object): RequestHandler {
  return (req, res) => {
    req.responseHeaders = { ...req.responseHeaders, 'Cache-Control': 'public, max-age=3600' };
    respond(req, res, 200, metadata);
  };
}
