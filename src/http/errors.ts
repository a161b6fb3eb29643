import type { ErrorRequestHandler, Request } from 'express';
import { brokenConstraint, isUnavailable } from '../db/errors.ts';
import { isForm } from './body.ts';
import { oauthError } from './oauth-errors.ts';
import { Problem } from './problem.ts';
import type { FaultTranslator, ValidationFault } from './validation-errors.ts';

/** Seconds after which a client may try again when the service itself was the reason. */
const RETRY_AFTER = '2';

/** The one place that turns any error into `{message, code, request_id, …}`. The detail of a 5xx goes to the log only. */
export function answerErrors(translateFaults: FaultTranslator): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const problem = toProblem(error, translateFaults);
    if (problem.status >= 500) req.log.error({ err: problem.cause ?? problem }, problem.message);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headersOf(problem))) res.setHeader(name, value);
    const oauth = isAuthPath(req) ? oauthError(problem, isForm(req)) : undefined;
    res.status(oauth?.status ?? problem.status);
    res.json({
      message: problem.message,
      code: problem.code,
      ...problem.details,
      ...oauth?.body,
      request_id: req.requestId,
    });
  };
}

function toProblem(error: unknown, translateFaults: FaultTranslator): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) {
    return new Problem(
      'unavailable',
      'The service cannot reach its database at the moment. Try again shortly.',
      {
        cause: error,
      },
    );
  }
  const { type, status, errors } = error as BodyParserError & ValidatorError;
  if (type !== undefined) return bodyProblem(type);
  if (status === 400 && errors !== undefined) return translateFaults(errors);
  const constraint = brokenConstraint(error);
  const detail = constraint === undefined ? '' : ` (constraint ${constraint})`;
  return new Problem('internal_error', 'Something went wrong on our side. Tell us the request_id.', {
    cause: error instanceof Error ? error : new Error(`${String(error)}${detail}`),
  });
}

interface BodyParserError {
  type?: string;
}

interface ValidatorError {
  status?: number;
  errors?: ValidationFault[];
}

/** The types of body-parser's errors (https://github.com/expressjs/body-parser#errors). */
function bodyProblem(type: string): Problem {
  if (type === 'entity.too.large' || type === 'parameters.too.many') {
    return new Problem('body_too_large', 'The body must not be larger than 256 KiB.');
  }
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new Problem(
      'unsupported_media_type',
      'The body must be UTF-8, plain or compressed with gzip, deflate or br.',
    );
  }
  return new Problem('invalid_json', 'The body could not be read: it is not valid JSON, or it was cut off.');
}

function headersOf(problem: Problem): Record<string, string> {
  const headers: Record<string, string> = { ...problem.headers };
  if (problem.status === 401) {
    headers['WWW-Authenticate'] =
      problem.code === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
  }
  if (problem.status === 403 && problem.details.required_scope !== undefined) {
    headers['WWW-Authenticate'] =
      `Bearer error="insufficient_scope", scope="${problem.details.required_scope}"`;
  }
  if (problem.status === 503) headers['Retry-After'] ??= RETRY_AFTER;
  if (problem.status >= 400) headers['Cache-Control'] = 'no-store';
  return headers;
}

function isAuthPath(req: Request): boolean {
  return req.match?.operation.path.startsWith('/auth/') ?? false;
}
