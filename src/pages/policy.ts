import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** A page loads only its own files, calls only its own host, and is in no frame. `more` is what else it needs. */
export function pagePolicy(more: Record<string, string[]>): RequestHandler {
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
      ...more,
    },
  });
}
