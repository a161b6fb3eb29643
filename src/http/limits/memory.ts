import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Deadline } from '../../values/deadline.ts';
import { expectedBytes } from '../body/body.ts';
import { whenClosed } from '../when-closed.ts';
import type { Held } from './fair-share.ts';
import { REQUEST_TIME } from './limited-db.ts';
import { clientOf } from './rate-limit.ts';
import { SMALL } from './share-limits.ts';
import type { Shares } from './shares.ts';
import { waits, weightOf } from './weight.ts';

/** A single resource's body is small. Bytes. */
const MAX_SMALL_BODY = 256 * 1024;

/**
 * Takes the memory of a request from its client's share, until the client has read the answer, and that of a large body. 503
 * if the share is used up.
 */
export function admit(shares: Shares): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    req.shares = shares;
    const client = clientOf(req);
    const body = expectedBytes(req);
    const isLarge = body > MAX_SMALL_BODY;
    req.memory = await shares.bytes.take(client, 'small', { amount: isLarge ? SMALL : SMALL + body });
    whenClosed(res, req.memory.release);
    if (isLarge) {
      req.arriving = await shares.bytes.take(client, 'arriving', { amount: body });
      whenClosed(res, req.arriving.release);
    }
    // Otherwise, the client has disconnected.
    if (!req.socket.destroyed) next();
  };
}

/**
 * Runs the steps with the memory that a large body or answer takes while it is processed. The last step calls back when it has
 * responded.
 */
export function withMemory(steps: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    req.deadline = new Deadline(REQUEST_TIME);
    const { isHeavy, bytes } = weightOf(req);
    req.queryKind = isHeavy ? 'heavy' : 'light';
    try {
      if (bytes > 0) {
        // A thousand that wait for events may arrive together, but hold nothing while they wait.
        const isAdmitted = waits(req);
        const options = { amount: bytes, timeout: req.deadline.left, isAdmitted };
        req.processed = await req.shares.bytes.take(clientOf(req), 'processed', options);
      }
    } finally {
      req.arriving?.release();
    }
    // The client has disconnected.
    if (req.socket.destroyed) return req.processed?.release();
    steps(req, res, (error?: unknown) => {
      void end(req, res);
      if (error !== undefined) next(error);
    });
  };
}

/** Gives back what the request no longer needs, once its work is over. What its client has not read yet still counts. */
async function end(req: Request, res: Response): Promise<void> {
  const { memory, processed, running } = req;
  const unread = res.writableLength;
  if (processed === undefined) return memory.resize(SMALL + unread);
  const place = unread === 0 ? undefined : await holdUnread(req, unread);
  if (unread > 0) whenClosed(res, (place ?? processed).release);
  if (unread > 0 && place === undefined) return;
  // It may go on after its time is over.
  await running;
  processed.release();
}

/** Undefined if the client already reads too little. */
async function holdUnread(req: Request, amount: number): Promise<Held | undefined> {
  try {
    return await req.shares.bytes.take(clientOf(req), 'unread', { amount });
  } catch {
    return undefined;
  }
}
