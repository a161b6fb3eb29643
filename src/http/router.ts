import type { Request, RequestHandler, Response } from 'express';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Db } from '../db/db.ts';
import type { Answer, Handlers, OperationContext, Suspension } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { invalidParameter } from '../problem.ts';
import { missingScope } from '../scopes.ts';
import { actorOf } from './actor-of.ts';
import { confirmCredential } from './authenticate.ts';
import { isUpload, takesFiles } from './body/body.ts';
import { receiveUpload } from './body/upload.ts';
import { isNotModified } from './conditional.ts';
import { readDryRun } from './dry-run.ts';
import { KeyInUse, runIdempotently } from './idempotency/run-idempotently.ts';
import { limitBadSecrets } from './limits/rate-limit.ts';
import { withFields } from './lists/fields.ts';
import { readFromReplica } from './reads.ts';
import { addressOf, isRead } from './request.ts';
import { respond, respondInSlices, respondText } from './respond.ts';
import { hasRows, sendRows } from './rows/send-rows.ts';
import type { Contract } from './validation/contract.ts';
import { whenClosed } from './when-closed.ts';

type Outcome = Answer | Suspension<Answer>;
type Handler<Result = Outcome> = (input: unknown, context: OperationContext) => Promise<Result>;

/** With more time left than this, a request waits again for the first one with its Idempotency-Key. Milliseconds. */
const MIN_TIME_TO_WAIT = 3_000;

/** These may load the signing keys over a second connection. Waiting for it while holding a first one can deadlock. */
const withoutTransaction: ReadonlySet<OperationId> = new Set<OperationId>(['createToken', 'revokeToken']);

/** Runs the matched operation: input → transaction → handler → response. */
export function createRouter(handlers: Handlers, contract: Contract): RequestHandler {
  for (const id of Object.keys(operations)) {
    if (!(id in handlers)) throw new Error(`The contract's operation ${id} has no handler.`);
  }
  const { checkBody, checkItem, checkQuery } = contract;
  const checks = { checkBody, checkItem, checkQuery };
  return async (req, res, next) => {
    const { match, turn } = req;
    const { id } = match;
    const handler = handlers[id] as Handler;
    const check = <Result extends Outcome>(outcome: Result): Result => {
      // Rows are validated one by one as they are sent.
      const isWhole = !isSuspended(outcome) && !hasRows(outcome);
      if (isWhole) contract.validateResponse(id, outcome.status, outcome.body, outcome.mediaType);
      return outcome;
    };
    // Before the commit, so that a response that breaks the contract rolls the transaction back.
    const checked: Handler = async (input, context) => check(await handler(input, context));
    async function beforeCommit(trx: Db): Promise<void> {
      await confirmCredential(req, trx);
      turn.deadline.beginCommit();
    }

    /** The body of an upload. Fails once the credential is revoked. */
    async function* received(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of body) {
        await confirmCredential(req, req.context.db);
        yield piece;
      }
    }

    async function answer(): Promise<Answer | undefined> {
      if (isUpload(req)) {
        const body = received(receiveUpload(req, res));
        // Most clients read the response only after they have sent everything, so the rest is read too.
        return run(req, body, checked, checks, beforeCommit).finally(() => req.resume()) as Promise<Answer>;
      }
      let outcome = await turn.limit(run(req, req.input.body, checked, checks, beforeCommit));
      while (isSuspended(outcome)) {
        const { until, cancel, resume } = outcome;
        whenClosed(res, cancel);
        await turn.suspend(req, until).finally(cancel);
        if (req.socket.destroyed) return undefined;
        outcome = await turn.limit(resume());
        check(outcome);
      }
      return outcome;
    }

    const answered = await answer();
    if (answered === undefined) return next();
    if (match.operation.method === 'get') await confirmCredential(req, req.context.db);
    const { fields } = req.input.query as { fields?: readonly string[] };
    const outcome = withFields(readable(req, answered), fields);
    for (const name in outcome.headers) addHeader(req, name, outcome.headers[name] as string);
    if (hasRows(outcome)) await sendRows(req, res, outcome, contract.rowsOf(id, outcome.status), fields);
    else await send(req, res, outcome);
    next();
  };
}

function isSuspended(outcome: Outcome): outcome is Suspension<Answer> {
  return 'resume' in outcome;
}

async function run(
  req: Request,
  body: unknown,
  handler: Handler,
  checks: Pick<Contract, 'checkBody' | 'checkItem' | 'checkQuery'>,
  beforeCommit: (trx: Db) => Promise<void>,
): Promise<Outcome> {
  const { context, match } = req;
  const { operation } = match;
  const key = operation.idempotent ? req.get('Idempotency-Key') : undefined;
  const principal = key === undefined ? req.principal : { ...req.principal, usedScopes: new Set<string>() };
  const input = { ...req.input, body };
  const isDryRun = operation.method !== 'get' && readDryRun(req);
  const db: Pick<Db, 'transaction'> = {
    transaction: (work, options) =>
      context.db.transaction(
        async (trx) => {
          const result = await work(trx);
          await beforeCommit(trx);
          return result;
        },
        { ...options, deadline: req.turn.deadline },
      ),
  };
  const write: OperationContext['write'] = (sent, work) =>
    isDryRun ? tryOut(db, work) : writeOnce(req, { db, key, principal, body: sent }, work);
  const operationContext: OperationContext = {
    db: req.turn.db(req),
    environment: context.environment,
    baseUrl: context.baseUrl,
    url: context.baseUrl + req.path,
    auth: context.auth,
    eventWatch: context.eventWatch,
    history: context.history,
    readSnapshot: context.readSnapshot,
    targetRules: context.targetRules,
    inboundStorage: context.inboundStorage,
    importStorage: context.importStorage,
    defaultCountry: context.defaultCountry,
    countGrant: (clientId) => context.rateLimiters.tokenClient.count(req, clientId),
    limitBadSecrets: limitBadSecrets(req),
    principal,
    actor: await actorOf(req, principal),
    requestId: req.requestId,
    address: () => addressOf(req),
    secretKey: context.secretKey,
    logger: context.logger,
    headers: req.headers,
    rawBody: req.rawBody,
    contentType: req.contentType,
    mediaType: req.mediaType,
    isDryRun,
    write,
    ...checks,
  };
  if (operation.method === 'get' || withoutTransaction.has(match.id)) {
    if (isDryRun) {
      throw invalidParameter('Dry-Run', 'is not supported by this operation, which would change something');
    }
    return readFromReplica(req, operationContext, (source) => handler(input, source));
  }
  if (takesFiles(operation)) return handler(input, operationContext);
  // An operation that writes is never suspended.
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
  const { context, match, method, originalUrl: url, turn } = req;
  if (key === undefined) return db.transaction(work);
  const { secretKey, answerStorage: storage } = context;
  const actingUser = req.get('Acting-User');
  const request = { key, principal, match, method, url, body, actingUser, secretKey, storage };
  for (;;) {
    try {
      const answer = await db.transaction((trx) => runIdempotently(trx, request, () => work(trx)));
      return answer as Written;
    } catch (error) {
      if (!(error instanceof KeyInUse) || turn.deadline.left < MIN_TIME_TO_WAIT) throw error;
    }
  }
}

/** Runs a write and rolls it back. Ignores an Idempotency-Key, since nothing remains that could be repeated. */
async function tryOut<Written extends Answer>(
  db: Writing['db'],
  work: (trx: Db) => Promise<Written>,
): Promise<Written> {
  const answer = await db.transaction(work, { dryRun: true });
  return { ...answer, headers: { ...answer.headers, 'Dry-Run': 'true' } };
}

/** The answer, without its body if the credential may not read that. Stored answers may be replayed to another credential. */
function readable({ match, principal }: Request, answer: Answer): Answer {
  const needed = match.operation.readScopes[answer.status];
  if (needed === undefined || missingScope(principal.scopes, needed) === undefined) return answer;
  const { Location: _location, ...headers } = answer.headers ?? {};
  return { status: 204, headers, body: undefined };
}

async function send(
  req: Request,
  res: Response,
  { status, headers = {}, body, mediaType }: Answer,
): Promise<void> {
  const notModified =
    headers.ETag !== undefined && isRead(req) && isNotModified(req.headers['if-none-match'], headers.ETag);
  if (notModified) respond(req, res, 304);
  else if (mediaType !== undefined) respondText(req, res, status, { mediaType, text: String(body) });
  else await respondInSlices(req, res, status, body);
}

/** Handlers append to these headers: to the Link of a deprecated operation, to the rate limits of a token request. */
const lists: ReadonlySet<string> = new Set(['Link', 'RateLimit', 'RateLimit-Policy']);

function addHeader({ responseHeaders = {} }: Request, name: string, value: string): void {
  const previous = lists.has(name) ? responseHeaders[name] : undefined;
  responseHeaders[name] = previous === undefined ? value : `${previous}, ${value}`;
}
