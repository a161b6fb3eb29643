import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import {
  brokenConstraint,
  describeUnavailable,
  isDatabaseFault,
  isQueryTimeout,
  isUnavailable,
  UnknownOutcomeError,
} from '../../db/errors.ts';
import { basePaths, mcpPaths } from '../../environment.ts';
import { Problem, toSentences } from '../../problem.ts';
import { isForm } from '../body/body.ts';
import { isMcp } from '../mcp-operation.ts';
import { errorPage } from '../page.ts';
import { isRead } from '../request.ts';
import { resourceMetadataUrl } from '../resource-metadata.ts';
import { respond, respondText } from '../respond.ts';
import type { Contract } from '../validation/contract.ts';
import { oauthError } from './oauth-errors.ts';

/** Retry-After of a 503. Seconds. */
const RETRY_AFTER = '2';

/** Turns any error into `{message, code, request_id, …}`. Details of a 5xx go to the log only. */
export function errorHandler(contract: Contract, logger: Logger): ErrorRequestHandler {
  const handleError: ErrorRequestHandler = (error: unknown, req, res, next) => {
    const problem = toProblem(error, req);
    req.problemCode = problem.code;
    if (problem.status >= 500) {
      const err = problem.cause instanceof Error ? problem.cause : problem;
      // Clients must not be able to fill the log with errors by asking for too much.
      const level = problem.code === 'internal_error' || isDatabaseFault(err) ? 'error' : 'warn';
      logger[level]({ err, request_id: req.requestId }, problem.message);
    }
    if (res.headersSent) return cutOff(res);
    const oauth = isAuthPath(req) ? oauthError(problem, isForm(req)) : undefined;
    const status = oauth?.status ?? problem.status;
    const { errors } = problem.details;
    const body = {
      message: problem.message,
      code: problem.code,
      ...problem.details,
      ...(errors !== undefined && { errors: toSentences(errors) }),
      ...oauth?.body,
      request_id: req.requestId,
    };
    if (req.match !== undefined && !isMcp(req.match) && status < 500) {
      try {
        contract.validateResponse(req.match.id, status, body);
      } catch (undocumented) {
        return handleError(undocumented, req, res, next);
      }
    }
    req.responseHeaders = {
      'X-Request-Id': req.requestId,
      ...req.responseHeaders,
      ...headersOf(problem, req),
    };
    // A browser that has sent a form shows the answer to a person.
    if (req.mediaType === 'text/html') {
      respondText(req, res, status, { mediaType: req.mediaType, text: errorPage(problem.message) });
    } else respond(req, res, status, body);
  };
  return handleError;
}

/** Resets the connection, so that the client notices the incomplete response. In HTTP/1.0, closing it would look complete. */
function cutOff(res: Response): void {
  const { socket } = res;
  if (!(socket instanceof Socket) || socket instanceof TLSSocket) res.destroy();
  else socket.resetAndDestroy();
}

function toProblem(error: unknown, req: Request): Problem {
  if (error instanceof Problem) return error;
  // A write that times out was waiting for another write, so retrying helps: it stays `unavailable`.
  if (isQueryTimeout(error) && isRead(req)) return queryTimeout(error);
  if (error instanceof UnknownOutcomeError && !isRead(req)) return unknownOutcome(error);
  if (isUnavailable(error)) return new Problem('unavailable', describeUnavailable(error), { cause: error });
  const { status = 500 } = error as { status?: number };
  // Express's own errors, such as for a path with malformed percent-encoding.
  if (status === 404) return new Problem('not_found', 'There is nothing here.');
  if (status >= 400 && status < 500) {
    return new Problem('invalid_request', 'The request could not be understood.');
  }
  const constraint = brokenConstraint(error);
  const detail = constraint === undefined ? '' : ` (constraint ${constraint})`;
  return new Problem(
    'internal_error',
    'Something went wrong on our side. Include the request_id when you report it.',
    { cause: error instanceof Error ? error : new Error(`${String(error)}${detail}`) },
  );
}

function unknownOutcome(cause: Error): Problem {
  const message =
    'The connection to the database was lost while your change was being saved, so it may have been saved. ' +
    'Send the request again with the same Idempotency-Key; without a key, first check whether it was saved.';
  return new Problem('outcome_unknown', message, { cause });
}

/** A longer Retry-After, since the same query would take as long again. */
export function queryTimeout(cause?: unknown): Problem {
  return new Problem(
    'query_timeout',
    'The query exceeded the limit of 15 seconds. Ask for less: a shorter window, fewer filters or a smaller page.',
    { cause, headers: { 'Retry-After': '60' } },
  );
}

function headersOf(problem: Problem, req: Request): Record<string, string> {
  const headers: Record<string, string> = { ...problem.headers };
  const authenticate = problem.status === 401 ? challenge(problem, req) : undefined;
  if (authenticate !== undefined) headers['WWW-Authenticate'] = authenticate;
  if (problem.status === 403 && problem.details.required_scope !== undefined) {
    headers['WWW-Authenticate'] = bearer(
      req,
      'error="insufficient_scope"',
      `scope="${problem.details.required_scope}"`,
    );
  }
  if (problem.status === 503) headers['Retry-After'] ??= RETRY_AFTER;
  if (problem.status >= 400) headers['Cache-Control'] = 'no-store';
  return headers;
}

/**
 * The WWW-Authenticate header of a 401. A client that used HTTP Basic gets a Basic challenge (RFC 6749 section 5.2). One
 * that sent its credentials in the body gets none: OAuth libraries that see a challenge do not read the body. Signatures
 * of inbound hooks have no registered scheme. Everything else follows RFC 6750 section 3.
 */
function challenge({ code }: Problem, req: Request): string | undefined {
  if (code === 'invalid_client') {
    const isBasic = /^basic( |$)/i.test(req.get('Authorization') ?? '');
    return isBasic ? `Basic realm="${req.context.baseUrl}", charset="UTF-8"` : undefined;
  }
  if (code === 'signature_invalid') return 'Signature';
  return code === 'token_missing' ? bearer(req) : bearer(req, 'error="invalid_token"');
}

/** RFC 9728 section 5.1: a challenge says where a client learns how to get a token. */
function bearer({ context, match }: Request, ...parameters: string[]): string {
  const path = isMcp(match) ? mcpPaths[context.environment] : context.basePath;
  return `Bearer ${[...parameters, `resource_metadata="${resourceMetadataUrl(context, path)}"`].join(', ')}`;
}

function isAuthPath({ path }: Request): boolean {
  return Object.values(basePaths).some((basePath) => path.startsWith(`${basePath}/auth/`));
}
