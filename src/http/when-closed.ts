import type { Response } from 'express';

/**
 * Runs the action once the response is closed, whether or not it was sent. It runs immediately if that has already happened:
 * a client may leave, or send invalid HTTP, while its request is being checked.
 */
export function whenClosed(res: Response, action: () => void): void {
  if (res.closed || res.req.socket.destroyed) action();
  else res.once('close', action);
}
