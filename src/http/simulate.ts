import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import { invalidParameter, Problem } from '../problem.ts';
import { queryTimeout } from './errors/error-handler.ts';

/** Maximum delay of `slow=`. A service that stops waits this long for running requests. Milliseconds. */
const MAX_DELAY = 10_000;

/** The error for each value of the header `Simulate`, except `slow=`. */
const failures: Record<string, (req: Request) => Problem> = {
  rate_limited: ({ responseHeaders: { RateLimit = '' } = {} }) =>
    new Problem('rate_limited', 'Simulated: too many requests. Try again in 1 second.', {
      headers: { 'Retry-After': '1', RateLimit: RateLimit.replace(/r=\d+; t=\d+$/, 'r=0; t=1') },
    }),
  unavailable: () =>
    new Problem('unavailable', 'Simulated: the service is not available. Try again shortly.'),
  timeout: () => queryTimeout(),
  conflict: ({ match }) => {
    if (match.operation.conditional) {
      return new Problem(
        'version_mismatch',
        'Simulated: the resource has changed. Read it again, then repeat the change.',
      );
    }
    return invalidParameter('Simulate', 'can be conflict only where the operation takes If-Match');
  },
};

/**
 * In the sandbox, fails with the error that the header `Simulate` names, so that clients can test their error handling. The
 * operation doesn't run. With `slow=`, it runs after a delay.
 */
export async function simulate(req: Request, _res: Response, next: NextFunction): Promise<void> {
  const { simulate: wanted } = req.headers;
  if (wanted === undefined) return next();
  if (req.environment === 'production') {
    throw invalidParameter('Simulate', 'works in the sandbox only; leave it out in production');
  }
  const name = String(wanted);
  if (Object.hasOwn(failures, name)) throw failures[name]?.(req);
  const [, digits] = /^slow=(\d{1,5})$/.exec(name) ?? [];
  const delay = Number(digits ?? Number.NaN);
  if (!(delay <= MAX_DELAY)) {
    throw invalidParameter(
      'Simulate',
      `must be ${Object.keys(failures).join(', ')}, or slow=<milliseconds> with at most ${MAX_DELAY}`,
    );
  }
  await sleep(delay, undefined, { ref: false });
  next();
}
