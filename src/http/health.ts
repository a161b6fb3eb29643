import { type RequestHandler, Router } from 'express';
import { withTimeout } from '../db/pool/deadline.ts';
import type { Context } from '../process/context.ts';
import { Problem } from './errors/problem.ts';
import { respond } from './respond.ts';

/** Timeout of a readiness check. Milliseconds. */
const PROBE_TIMEOUT = 1_500;

/** `/livez`: the process responds. `/readyz`: every database responds too, so the service can take traffic. */
export function serveHealth(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  router.get('/livez', (req, res) => {
    respond(req, res, 200, { status: 'ok' });
  });
  router.get('/readyz', async (req, res) => {
    const checks = await Promise.allSettled(contexts.map(checkReady));
    const down = contexts.filter((_context, index) => checks[index]?.status === 'rejected');
    if (down.length > 0) {
      const names = down.map(({ environment }) => environment).join(' and ');
      throw new Problem('unavailable', `The database of ${names} does not respond.`);
    }
    respond(req, res, 200, { status: 'ok' });
  });
  return router;
}

/** Not over the pool, whose connections may all be waiting for a lock. */
function checkReady({ probe }: Context): Promise<unknown> {
  return withTimeout(PROBE_TIMEOUT, probe.server());
}
