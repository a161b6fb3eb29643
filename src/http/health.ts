import { type RequestHandler, Router } from 'express';
import type { Context } from '../context.ts';
import { withTimeout } from '../db/deadline.ts';
import { run } from '../db/statement.ts';
import { Problem } from './problem.ts';

/** How long a probe waits for an answer (milliseconds). */
const PATIENCE = 1_500;

/** `/livez`: the process answers. `/readyz`: every database answers too, so traffic may come. */
export function serveHealth(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reachable = await Promise.all(contexts.map(isReady));
    const down = contexts.filter((_context, index) => !reachable[index]);
    if (down.length > 0) {
      const names = down.map(({ environment }) => environment).join(' and ');
      throw new Problem('unavailable', `The database of ${names} does not answer.`);
    }
    res.json({ status: 'ok' });
  });
  return router;
}

/** Asks in the way of a request: a connection of the same pool, and the keys that tokens are checked with. */
function isReady({ db, auth }: Context): Promise<boolean> {
  const asked = Promise.all([run(db, { sql: 'select 1', bindings: [] }), auth.publicJwks()]);
  return withTimeout(PATIENCE, asked).then(
    () => true,
    () => false,
  );
}
