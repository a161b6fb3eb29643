import type { Request } from 'express';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { DatabaseContext, OperationContext, RequestContext, Services } from '../../operation.ts';
import type { Principal } from '../../principal.ts';
import { actorOf } from '../actor-of.ts';
import { readDryRun } from '../dry-run.ts';
import { countFor, limitBadSecrets, limitsOf } from '../limits/rate-limit.ts';
import { dbOf } from '../limits/weight.ts';
import { addressOf } from '../request.ts';
import type { Contract } from '../validation/contract.ts';
import { keyOf, transactionOf } from './transactions.ts';

/** Finds what handlers use of each environment. */
export function servicesBy({ checkBody, checkItem }: Contract): (context: Context) => Services {
  const known = new WeakMap<Context, Services>();
  return (context) => {
    const found = known.get(context);
    if (found !== undefined) return found;
    const { environment, baseUrl, auth, eventWatch, history, targetRules } = context;
    const { inboundStorage, importStorage, defaultCountry, secretKey, logger } = context;
    const services = {
      ...{ environment, baseUrl, auth, eventWatch, history, targetRules },
      ...{ inboundStorage, importStorage, defaultCountry, secretKey, logger },
      ...{ checkBody, checkItem },
    };
    known.set(context, services);
    return services;
  };
}

/** What the request's handler gets, besides its input. Throws 400, 403 or 422 if a header is wrong. */
export async function contextOf(req: Request, services: Services): Promise<OperationContext> {
  // A stored answer says which scopes it depends on.
  const principal =
    keyOf(req) === undefined ? req.principal : { ...req.principal, usedScopes: new Set<string>() };
  const database = databaseOf(req, principal);
  return { ...services, ...requestOf(req, await actorOf(req, principal), principal), ...database };
}

function requestOf(req: Request, actor: Actor, principal: Principal): RequestContext {
  const { context, requestId, headers, rawBody, contentType, mediaType } = req;
  return {
    url: context.baseUrl + req.path,
    countGrant: (clientId) => countFor(req, context.rateLimiters.tokenClient, clientId),
    limitBadSecrets: limitBadSecrets(req),
    limits: () => limitsOf(req),
    principal,
    actor,
    requestId,
    address: () => addressOf(req),
    headers,
    rawBody,
    contentType,
    mediaType,
  };
}

function databaseOf(req: Request, principal: Principal): DatabaseContext {
  const db = dbOf(req);
  return {
    db,
    readSnapshot: req.context.readSnapshot,
    write: transactionOf(req, db, principal, readDryRun(req)),
  };
}
