import type { RequestHandler } from 'express';
import type { HelmetOptions } from 'helmet';
import type { Config } from '../config.ts';
import { Problem } from '../problem.ts';
import { DAY, SECOND } from '../values/time.ts';

const exposedHeaders = [
  'Accept-Patch',
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'Dry-Run',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Omitted-Rows',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Environment',
  'X-Request-Id',
];

/** Any origin may call the API: it uses no cookies, so a page gains no access to a visitor's data. */
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(','),
};

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET,HEAD,POST,PATCH,PUT,DELETE',
  'Access-Control-Max-Age': String(DAY / SECOND),
};

/** For pages. They load only files and data of this service, and have no inline scripts or styles. HSTS needs HTTPS. */
export function pageHelmet(https: boolean): HelmetOptions {
  return {
    hsts: https,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'], // Swagger UI's stylesheet has its arrows inline.
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  };
}

/** Browsers list only the few headers that a page sets. Characters. */
const MAX_REQUESTED_HEADERS = 1_000;

/** CORS for any origin. find-operation.ts answers a preflight, since only it knows the methods of each path. */
export const allowAnyOrigin: RequestHandler = (req, res, next) => {
  res.set(corsHeaders);
  if (req.method !== 'OPTIONS') return next();
  res.set(preflightHeaders).vary('Access-Control-Request-Headers');
  const requested = req.headers['access-control-request-headers'] ?? '';
  // The response repeats them, so a longer list is ignored.
  if (requested !== '' && requested.length <= MAX_REQUESTED_HEADERS) {
    res.set('Access-Control-Allow-Headers', requested);
  }
  next();
};

/** Handles CORS preflights, whose response headers depend on the request. */
export const preflight: RequestHandler = (req, res, next) =>
  req.method === 'OPTIONS' ? allowAnyOrigin(req, res, next) : next();

/** Whether clients use HTTPS, terminated by this server or by a proxy in front of it. */
export function isHttps({ tls }: Pick<Config, 'tls'>, publicUrl: string): boolean {
  return tls !== undefined || publicUrl.startsWith('https:');
}

/** Sent with every response of the API. JSON loads nothing and is not rendered, so headers that concern pages are omitted. */
export function apiHeaders(https: boolean): Record<string, string> {
  return { ...corsHeaders, ...mcpHeaders(https), 'Cross-Origin-Resource-Policy': 'cross-origin' };
}

/** No page of another origin may read what agents get. */
export function mcpHeaders(https: boolean): Record<string, string> {
  return {
    // Shared caches don't store responses to requests with Authorization, but might do so with X-API-Key.
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Throws 403 for a page of another origin: a browser must not send requests in the name of the program that it runs beside. */
export function refuseForeignOrigin(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl).origin;
  return ({ headers: { origin = own } }, _res, next) => {
    if (origin === own) return next();
    throw new Problem('origin_not_allowed', `Pages of ${origin} may not use this address.`);
  };
}

/** Throws 403 if the request reached the proxy over plain HTTP: its token has been exposed to the network. */
export function requireHttps(behindProxy: boolean): RequestHandler {
  return (req, _res, next) => {
    if (!behindProxy || req.secure) return next();
    throw new Problem('https_required', 'Use https: this request reached the proxy over plain HTTP.');
  };
}
