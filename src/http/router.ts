import type { Request, RequestHandler, Response } from 'express';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Principal } from '../auth/principal.ts';
import { withTimeout } from '../db/deadline.ts';
import { createAdmission, mayBeLarge } from './admission.ts';
import { isNotModified } from './conditional.ts';
import type { Contract } from './contract.ts';
import { type Answer, runIdempotently } from './idempotency.ts';
import type { Actor, Handlers, Input, OperationContext } from './operation.ts';
import { isRead } from './request.ts';
import { respond } from './respond.ts';
import type { FaultTranslator, ValidationFault } from './validation-errors.ts';

type Handler = (input: unknown, context: OperationContext) => Promise<Answer>;

/** How long an operation may take (milliseconds): as long as anybody may hold a connection, and a moment to get it. */
const TIME_LIMIT = 16_500;

/** The signing keys may have to be read for them, over a connection that nobody may wait for who holds one. */
const withoutTransaction: ReadonlySet<OperationId> = new Set<OperationId>(['createToken', 'revokeToken']);

/** Runs the operation that was found: input → transaction → handler → response. */
export function createRouter(
  handlers: Handlers,
  contract: Contract,
  translateFaults: FaultTranslator,
): RequestHandler {
  for (const id of Object.keys(operations)) {
    if (!(id in handlers)) throw new Error(`The contract's operation ${id} has no handler.`);
  }
  const admit = createAdmission();
  const checkBody: OperationContext['checkBody'] = (id, body) => {
    try {
      return contract.checkBody(id, body) as Input<typeof id>['body'];
    } catch (error) {
      const { errors } = error as { errors?: ValidationFault[] };
      throw errors === undefined ? error : translateFaults(errors);
    }
  };
  return async (req: Request, res: Response) => {
    const { id } = req.match;
    const handler = handlers[id] as Handler;
    const checked: Handler = async (input, context) => {
      const result = await handler(input, context);
      // Before the transaction ends, so that an answer that breaks the contract leaves nothing behind.
      contract.validateResponse(id, result.status, result.body);
      return result;
    };
    const make = () => run(req, checked, checkBody);
    // Whoever has gone while it was not its turn yet gets no answer made.
    const making = mayBeLarge(req)
      ? admit(req.socket, async () => (req.socket.destroyed ? undefined : make()))
      : make();
    const answer = await withTimeout(TIME_LIMIT, making);
    if (answer !== undefined) send(req, res, answer);
  };
}

function run(req: Request, handler: Handler, checkBody: OperationContext['checkBody']): Promise<Answer> {
  const { context, match, principal, input } = req;
  const operationContext: OperationContext = {
    db: context.db,
    environment: context.environment,
    baseUrl: context.baseUrl,
    auth: context.auth,
    enqueueDeliveries: context.enqueueDeliveries,
    targetRules: context.targetRules,
    inboundStorage: context.inboundStorage,
    countGrant: context.counters.tokenClient,
    principal,
    actor: actorOf(principal),
    requestId: req.requestId,
    secretKey: context.secretKey,
    headers: req.headers,
    rawBody: req.rawBody,
    checkBody,
  };
  if (match.operation.method === 'get' || withoutTransaction.has(match.id)) {
    return handler(input, operationContext);
  }
  return context.db.transaction((trx) => {
    const handle = () => handler(input, { ...operationContext, db: trx });
    const key = match.operation.idempotent ? req.get('Idempotency-Key') : undefined;
    if (key === undefined) return handle();
    const { method, originalUrl: url } = req;
    const { secretAnswer } = match.operation;
    const { secretKey } = context;
    return runIdempotently(
      trx,
      { key, principal, method, url, body: input.body, secretKey, secretAnswer },
      handle,
    );
  });
}

function actorOf({ clientId, hookId }: Principal): Actor {
  return hookId === null ? { type: 'client', id: clientId } : { type: 'hook', id: hookId };
}

function send(req: Request, res: Response, { status, headers = {}, body }: Answer): void {
  for (const name in headers) addHeader(req, name, headers[name] as string);
  const isKnown =
    headers.ETag !== undefined && isRead(req) && isNotModified(req.headers['if-none-match'], headers.ETag);
  if (isKnown) respond(req, res, 304);
  else respond(req, res, status, body);
}

/** A deprecated operation has a Link already, and a token is counted twice. */
function addHeader({ answer = {} }: Request, name: string, value: string): void {
  answer[name] = answer[name] === undefined ? value : `${answer[name]}, ${value}`;
}
