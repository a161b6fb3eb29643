import { type RequestHandler, Router } from 'express';
import type { Context } from '../context.ts';
import { isReachable } from '../db/knex.ts';
import { Problem } from './problem.ts';

/** `/livez`: the process answers. `/readyz`: every database answers too, so traffic may come. */
export function serveHealth(contexts: readonly Context[]): RequestHandler {
  const router = Router();
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reachable = await Promise.all(contexts.map(({ db }) => isReachable(db)));
    const down = contexts.filter((_context, index) => !reachable[index]);
    if (down.length > 0) {
      const names = down.map(({ environment }) => environment).join(' and ');
      throw new Problem('unavailable', `The database of ${names} does not answer.`);
    }
    res.json({ status: 'ok' });
  });
  return router;
}
