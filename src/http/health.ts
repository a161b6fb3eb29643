import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestHandler, Router } from 'express';
import type { Context } from '../context.ts';
import { withTimeout } from '../db/pool/deadline.ts';
import { Problem } from '../problem.ts';
import { respond } from './respond.ts';

/** Timeout of a readiness check. Milliseconds. */
const PROBE_TIMEOUT = 1_500;
/** How long an answer about production waits for the sandbox. Milliseconds. */
const SANDBOX_TIMEOUT = 100;

/**
 * `/livez`: the process responds. `/readyz`: the database of production responds too, so the service can take traffic. The
 * sandbox must not take production out of a load balancer, so its state is only told.
 */
export function serveHealth(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  const production = contexts.find(({ environment }) => environment === 'production');
  const sandbox = contexts.find(({ environment }) => environment === 'sandbox');
  /** Whether the sandbox responded the last time. */
  let sandboxState: 'ok' | 'unavailable' = 'ok';

  async function checkSandbox(): Promise<void> {
    if (sandbox === undefined) return;
    sandboxState = (await isReady(sandbox)) ? 'ok' : 'unavailable';
  }

  router.get('/livez', (req, res) => {
    respond(req, res, 200, { status: 'ok' });
  });
  router.get('/readyz', async (req, res) => {
    const checked = checkSandbox();
    if (production !== undefined && !(await isReady(production)))
      throw new Problem('unavailable', 'The database of production does not respond.');
    // One that hangs is told as it was found the last time.
    await Promise.race([checked, sleep(SANDBOX_TIMEOUT)]);
    respond(req, res, 200, { status: 'ok', sandbox: sandboxState });
  });
  return router;
}

/** Not over the pool, whose connections may all be waiting for a lock. */
function isReady({ probe }: Context): Promise<boolean> {
  return withTimeout(PROBE_TIMEOUT, probe.server()).then(
    () => true,
    () => false,
  );
}
