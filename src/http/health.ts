import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestHandler, Router } from 'express';
import type { Contexts } from '../context.ts';
import type { Environment } from '../environment.ts';
import { Problem } from '../problem.ts';
import { Deadline } from '../values/deadline.ts';
import { respond } from './respond.ts';

/** Timeout of a readiness check. Milliseconds. */
const PROBE_TIMEOUT = 1_500;
/** How long a response about production waits for the sandbox. Milliseconds. */
const SANDBOX_TIMEOUT = 100;

/**
 * `/livez`: the process responds. `/readyz`: the database of production responds too, is the right one and has its tables, so
 * the service can take traffic. The sandbox must not take production out of a load balancer, so its state is only reported. If
 * the sandbox runs alone, `/readyz` depends on it.
 */
export function serveHealth(environments: readonly Environment[], contexts: Contexts): RequestHandler {
  const router = Router();
  const [main = 'production', other] = environments;
  /** Whether the sandbox responded to the last check. */
  let sandbox: 'ok' | 'unavailable' = 'ok';

  async function checkSandbox(): Promise<void> {
    sandbox = (await findFault('sandbox')) === undefined ? 'ok' : 'unavailable';
  }

  /** Uses its own connection, since all connections of the pool may be waiting for a lock. */
  async function findFault(environment: Environment): Promise<string | undefined> {
    const { probe } = contexts[environment] ?? {};
    const state = await new Deadline(PROBE_TIMEOUT)
      .race(probe?.state() ?? Promise.resolve(undefined))
      .catch(() => undefined);
    if (state === undefined) return `The ${environment} database does not respond.`;
    return state.fault && `The ${environment} database can't be used. The log of the service says why.`;
  }

  router.get('/livez', (req, res) => {
    respond(req, res, 200, { status: 'ok' });
  });
  router.get('/readyz', async (req, res) => {
    const checked = other && checkSandbox();
    const fault = await findFault(main);
    if (fault !== undefined) throw new Problem('unavailable', fault);
    // If the sandbox does not respond in time, its last known state is reported.
    await Promise.race([checked, sleep(SANDBOX_TIMEOUT)]);
    const copies = environments.filter((environment) => contexts[environment]?.probe.known()?.isCopy);
    respond(req, res, 200, {
      status: 'ok',
      ...(other && { sandbox }),
      ...(copies.length > 0 && { copies }),
    });
  });
  return router;
}
