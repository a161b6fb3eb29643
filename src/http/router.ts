import type { Request, RequestHandler, Response } from 'express';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Db } from '../db/db.ts';
import { TimeoutError, withTimeout } from '../db/pool/deadline.ts';
import type { Actor, Answer, Handlers, OperationContext, Suspension } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { invalidParameter } from '../problem.ts';
import { missingScope } from '../scopes.ts';
import { confirmCredential } from './authenticate.ts';
import { isStreamed } from './body.ts';
import { isNotModified } from './conditional.ts';
import { KeyInUse, runIdempotently } from './idempotency/run-idempotently.ts';
import { createAdmission, mayBeLarge } from './limits/admission.ts';
import { createClientTurns, isHeavy } from './limits/client-turns.ts';
import { limitBadSecrets } from './limits/rate-limit.ts';
import { createUploads } from './limits/uploads.ts';
import { readFromReplica } from './reads.ts';
import { addressOf, isRead } from './request.ts';
import { respond } from './respond.ts';
import { hasRows, sendRows } from './rows/send-rows.ts';
import { type Checks, createChecks } from './validation/checks.ts';
import type { Contract } from './validation/contract.ts';
import type { FaultTranslator } from './validation/fault-translator.ts';
import { whenClosed } from './when-closed.ts';

type Outcome = Answer | Suspension<Answer>;
type Handler<Result = Outcome> = (input: unknown, context: OperationContext) => Promise<Result>;

/** Timeout of an operation: the maximum time to hold a connection, plus some time to acquire it. Milliseconds. */
const OPERATION_TIMEOUT = 16_500;

/** Time after which nothing is committed any more, so that the answer to the COMMIT comes before the timeout. Milliseconds. */
const COMMIT_TIMEOUT = 15_500;

/** Whoever has waited for the first request with its key for this long waits no more. Milliseconds. */
const KEY_TIMEOUT = 13_500;

/** These may have to load the signing keys over a second connection. Waiting for one while holding one can deadlock. */
const withoutTransaction: ReadonlySet<OperationId> = new Set<OperationId>(['createToken', 'revokeToken']);

/** Runs the matched operation: input → transaction → handler → response. */
export function createRouter(
  handlers: Handlers,
  contract: Contract,
  translateFaults: FaultTranslator,
): RequestHandler {
  for (const id of Object.keys(operations)) {
    if (!(id in handlers)) throw new Error(`The contract's operation ${id} has no handler.`);
  }
  const admit = createAdmission();
  const takeTurn = createClientTurns();
  const receive = createUploads();
  const checks = createChecks(contract, translateFaults);
  return async (req: Request, res: Response) => {
    const { id } = req.match;
    const handler = handlers[id] as Handler;
    const check = <Result extends Outcome>(outcome: Result): Result => {
      // Rows are validated one by one as they are sent.
      const isWhole = !isSuspended(outcome) && !hasRows(outcome);
      if (isWhole) contract.validateResponse(id, outcome.status, outcome.body);
      return outcome;
    };
    // Before the commit, so that a response that breaks the contract rolls the transaction back.
    const checked: Handler = async (input, context) => check(await handler(input, context));
    /** When a commit would come too late: by performance.now(). */
    let deadline = Number.POSITIVE_INFINITY;

    async function beforeCommit(trx: Db): Promise<void> {
      // The client has got a 503, or would get it during the commit.
      if (performance.now() > deadline) throw new TimeoutError('The request took too long.');
      await confirmCredential(req, trx);
    }

    /** The body of an upload, as long as its credential is valid. */
    async function* received(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of body) {
        await confirmCredential(req, req.context.db);
        yield piece;
      }
    }

    function attempt(task: () => Promise<Outcome>, isResumed = false): Promise<Outcome | undefined> {
      // Skip the work if the client disconnected while it was queued.
      const unlessGone = async () => (req.socket.destroyed ? undefined : task());
      const admitted = () => (mayBeLarge(req) ? admit(req.socket, unlessGone, isResumed) : task());
      const pending = isHeavy(req)
        ? takeTurn(req, async () => (req.socket.destroyed ? undefined : admitted()))
        : admitted();
      deadline = performance.now() + COMMIT_TIMEOUT;
      return withTimeout(OPERATION_TIMEOUT, pending);
    }

    async function answer(): Promise<Answer | undefined> {
      let outcome = isStreamed(req.match.operation)
        ? await receive(req, res, (body) => run(req, received(body), checked, checks, beforeCommit))
        : await attempt(() => run(req, req.input.body, checked, checks, beforeCommit));
      while (outcome !== undefined && isSuspended(outcome)) {
        const { until, cancel, resume } = outcome;
        whenClosed(res, cancel);
        await until;
        outcome = await attempt(async () => check(await resume()), true);
      }
      return outcome;
    }

    const answered = await answer();
    if (answered === undefined) return;
    if (req.match.operation.method === 'get') await confirmCredential(req, req.context.db);
    const outcome = readable(req, answered);
    for (const name in outcome.headers) addHeader(req, name, outcome.headers[name] as string);
    if (hasRows(outcome)) await sendRows(req, res, outcome, contract.rowsOf(id, outcome.status));
    else send(req, res, outcome);
  };
}

function isSuspended(outcome: Outcome): outcome is Suspension<Answer> {
  return 'resume' in outcome;
}

function run(
  req: Request,
  body: unknown,
  handler: Handler,
  checks: Checks,
  beforeCommit: (trx: Db) => Promise<void>,
): Promise<Outcome> {
  const { context, match } = req;
  const { operation } = match;
  const key = operation.idempotent ? req.get('Idempotency-Key') : undefined;
  const principal = key === undefined ? req.principal : { ...req.principal, usedScopes: new Set<string>() };
  const input = { ...req.input, body };
  const isDryRun = req.get('Dry-Run') === 'true';
  const db: Pick<Db, 'transaction'> = {
    transaction: (work, options) =>
      context.db.transaction(async (trx) => {
        const result = await work(trx);
        await beforeCommit(trx);
        return result;
      }, options),
  };
  const write: OperationContext['write'] = (sent, work) =>
    isDryRun ? tryOut(db, work) : writeOnce(req, { db, key, principal, body: sent }, work);
  const operationContext: OperationContext = {
    db: context.db,
    environment: context.environment,
    baseUrl: context.baseUrl,
    url: context.baseUrl + req.path,
    auth: context.auth,
    eventWatch: context.eventWatch,
    readSnapshot: context.readSnapshot,
    targetRules: context.targetRules,
    inboundStorage: context.inboundStorage,
    importStorage: context.importStorage,
    countGrant: context.rateLimiters.tokenClient,
    limitBadSecrets: limitBadSecrets(req),
    principal,
    actor: actorOf(principal),
    requestId: req.requestId,
    address: () => addressOf(req),
    secretKey: context.secretKey,
    logger: context.logger,
    headers: req.headers,
    rawBody: req.rawBody,
    mediaType: req.mediaType,
    isDryRun,
    write,
    ...checks,
  };
  if (operation.method === 'get' || withoutTransaction.has(match.id)) {
    if (isDryRun && operation.method !== 'get') {
      throw invalidParameter('Dry-Run', 'is not supported by this operation, which would change something');
    }
    return readFromReplica(req, operationContext, (source) => handler(input, source));
  }
  if (isStreamed(operation)) return handler(input, operationContext);
  // What writes does not wait for anything.
  return write(body, (trx) => (handler as Handler<Answer>)(input, { ...operationContext, db: trx }));
}

interface Writing {
  db: Pick<Db, 'transaction'>;
  /** The Idempotency-Key. */
  key: string | undefined;
  principal: Principal;
  body: unknown;
}

/** In one transaction. With an Idempotency-Key, a repeated request gets the stored answer. */
async function writeOnce<Written extends Answer>(
  req: Request,
  { db, key, principal, body }: Writing,
  work: (trx: Db) => Promise<Written>,
): Promise<Written> {
  const { context, match, method, originalUrl: url } = req;
  if (key === undefined) return db.transaction(work);
  const { secretAnswer } = match.operation;
  const { secretKey, answerStorage: storage } = context;
  const request = { key, principal, method, url, body, secretKey, secretAnswer, storage };
  const startedAt = performance.now();
  for (;;) {
    try {
      const answer = await db.transaction((trx) => runIdempotently(trx, request, () => work(trx)));
      return answer as Written;
    } catch (error) {
      if (!(error instanceof KeyInUse) || performance.now() - startedAt > KEY_TIMEOUT) throw error;
    }
  }
}

/** Does all of a write and takes it back. An Idempotency-Key is ignored, since nothing is done that could be repeated. */
async function tryOut<Written extends Answer>(
  db: Writing['db'],
  work: (trx: Db) => Promise<Written>,
): Promise<Written> {
  const answer = await db.transaction(work, { dryRun: true });
  return { ...answer, headers: { ...answer.headers, 'Dry-Run': 'true' } };
}

/** Without the body if it shows what the credential may not read. A stored answer may be replayed to another credential. */
function readable({ match, principal }: Request, answer: Answer): Answer {
  const needed = match.operation.readScopes[answer.status];
  if (needed === undefined || missingScope(principal.scopes, needed) === undefined) return answer;
  const { Location: _location, ...headers } = answer.headers ?? {};
  return { status: 204, headers, body: undefined };
}

function actorOf({ clientId, hookId }: Principal): Actor {
  return hookId === null ? { type: 'client', id: clientId } : { type: 'hook', id: hookId };
}

function send(req: Request, res: Response, { status, headers = {}, body }: Answer): void {
  const notModified =
    headers.ETag !== undefined && isRead(req) && isNotModified(req.headers['if-none-match'], headers.ETag);
  if (notModified) respond(req, res, 304);
  else respond(req, res, status, body);
}

/** Headers that a handler adds to: the Link of a deprecated operation, the rate limits of a token request. */
const lists: ReadonlySet<string> = new Set(['Link', 'RateLimit', 'RateLimit-Policy']);

function addHeader({ responseHeaders = {} }: Request, name: string, value: string): void {
  const previous = lists.has(name) ? responseHeaders[name] : undefined;
  responseHeaders[name] = previous === undefined ? value : `${previous}, ${value}`;
}
