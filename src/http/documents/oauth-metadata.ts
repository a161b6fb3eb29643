import { type RequestHandler, Router } from 'express';
import { scopes } from '../../../generated/operations.ts';
import type { Context } from '../../process/context.ts';
import { respond } from '../respond.ts';

/** RFC 8414. The well-known path goes between the origin and the issuer's path. */
export function serveMetadata(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  for (const { basePath, baseUrl } of contexts) {
    router.get(`/.well-known/oauth-authorization-server${basePath}`, (req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=3600');
      respond(req, res, 200, {
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
    });
  }
  return router;
}
