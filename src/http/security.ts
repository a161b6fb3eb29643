import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '../config.ts';
import { DAY, SECOND } from '../time.ts';
import { Problem } from './problem.ts';

/** Any origin may call the API: it uses no cookies, so a page gains no access to a visitor's data. */
export const corsOptions: CorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
  // Seconds.
  maxAge: DAY / SECOND,
  // find-operation.ts handles OPTIONS, since only it knows the methods of each path.
  preflightContinue: true,
  exposedHeaders: [
    'Allow',
    'Deprecation',
    'ETag',
    'Idempotency-Replayed',
    'Link',
    'Location',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'Sunset',
    'WWW-Authenticate',
    'X-Environment',
    'X-Request-Id',
  ],
};

/** For the docs page, which loads only its own scripts and styles. HSTS only with HTTPS. */
export function pageHelmet(https: boolean): HelmetOptions {
  return {
    hsts: https,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  };
}

/** For the API: JSON responses load nothing and are not rendered, so headers that concern pages are omitted. */
function apiHelmet(https: boolean): HelmetOptions {
  return {
    hsts: https,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  };
}

const answerPreflight = cors(corsOptions);

/** Handles CORS preflights, whose response headers depend on the request. */
export const preflight: RequestHandler = (req, res, next) =>
  req.method === 'OPTIONS' ? answerPreflight(req, res, next) : next();

/** Whether clients use HTTPS, terminated by this server or by a proxy in front of it. */
export function isHttps({ tls }: Pick<Config, 'tls'>, publicUrl: string): boolean {
  return tls !== undefined || publicUrl.startsWith('https:');
}

/** The headers of helmet and cors for API responses. They never change, so they are computed once. */
export function apiHeaders(https: boolean): Record<string, string> {
  const middlewares = [helmet(apiHelmet(https)), cors(corsOptions)];
  const req = new IncomingMessage(new Socket()) as Request;
  const res = new ServerResponse(req) as Response & { getRawHeaderNames(): string[] };
  for (const middleware of middlewares) middleware(req, res, () => undefined);
  return Object.fromEntries(res.getRawHeaderNames().map((name) => [name, String(res.getHeader(name))]));
}

/** Throws 403 if the request reached the proxy over plain HTTP, since that has exposed its token to the network. */
export function requireHttps(behindProxy: boolean): RequestHandler {
  return (req, _res, next) => {
    if (!behindProxy || req.secure) return next();
    throw new Problem('https_required', 'Use https: this request reached the proxy over plain HTTP.');
  };
}
