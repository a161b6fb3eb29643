import type { Response } from 'express';

/**
 * Runs the action once the response is over, sent or not. That may have happened already: a client can leave, or send what
 * is no HTTP, while its request is being checked. An event that has passed never comes again.
 */
export function whenClosed(res: Response, action: () => void): void {
  if (res.closed || res.req.socket.destroyed) action();
  else res.once('close', action);
}
