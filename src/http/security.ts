import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '../config.ts';
import { Problem } from './problem.ts';

/** Any page may call the API: it has no cookies, so there is nothing of a visitor's to steal. */
export const corsOptions: CorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
  maxAge: 86_400,
  // find-operation.ts answers OPTIONS, since only it knows what is allowed where.
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

/** For the docs page, which loads scripts and styles of ours only. HSTS is for HTTPS alone. */
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

/** For the API: JSON loads nothing and is shown nowhere, so what concerns pages is left out. */
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

/** What a browser asks before it sends a request of another origin, where the answer depends on the question. */
export const preflight: RequestHandler = (req, res, next) =>
  req.method === 'OPTIONS' ? answerPreflight(req, res, next) : next();

/** Whether clients reach the service by https, from the server itself or from the proxy before it. */
export function isHttps({ tls }: Pick<Config, 'tls'>, publicUrl: string): boolean {
  return tls !== undefined || publicUrl.startsWith('https:');
}

/** What helmet and cors say on every answer of the API: always the same, so they are asked once. */
export function apiHeaders(https: boolean): Record<string, string> {
  const middlewares = [helmet(apiHelmet(https)), cors(corsOptions)];
  const req = new IncomingMessage(new Socket()) as Request;
  const res = new ServerResponse(req) as Response & { getRawHeaderNames(): string[] };
  for (const middleware of middlewares) middleware(req, res, () => undefined);
  return Object.fromEntries(res.getRawHeaderNames().map((name) => [name, String(res.getHeader(name))]));
}

/** Behind a proxy: a request that reached it over plain HTTP has already shown its token to the network. */
export function requireHttps(behindProxy: boolean): RequestHandler {
  return (req, _res, next) => {
    if (!behindProxy || req.secure) return next();
    throw new Problem('https_required', 'Use https: this request reached the proxy over plain HTTP.');
  };
}
