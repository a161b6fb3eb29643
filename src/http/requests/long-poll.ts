import type { Request } from 'express';
import type { Answer, Suspension } from '../../operation.ts';
import { Deadline } from '../../values/deadline.ts';
import { REQUEST_TIME } from '../limits/limited-db.ts';
import { clientOf } from '../limits/rate-limit.ts';
import { LARGE_ANSWER, SMALL } from '../limits/share-limits.ts';
import { whenClosed } from '../when-closed.ts';
import type { Kind, Outcome } from './kind.ts';
import { inTime, run } from './ordinary.ts';

/** A request that may wait. Meanwhile, it holds nothing but a place among those that wait, and its time stands still. */
export const answerLongPoll: Kind = async (req, res, answering) => {
  let outcome = await inTime(req, run(req, answering));
  while (isSuspended(outcome)) {
    const { until, cancel, resume } = outcome;
    whenClosed(res, cancel);
    await suspend(req, until).finally(cancel);
    if (req.socket.destroyed) return undefined;
    outcome = await inTime(req, resume());
    if (!isSuspended(outcome)) answering.check(outcome);
  }
  return outcome;
};

export function isSuspended(outcome: Outcome): outcome is Suspension<Answer> {
  return 'resume' in outcome;
}

/** Throws 503 if too many requests of the client wait. */
async function suspend(req: Request, until: Promise<unknown>): Promise<void> {
  const place = await req.shares.streams.take(clientOf(req), 'waits');
  const { timeout = 0 } = req.socket;
  req.memory.resize(0);
  req.processed?.release();
  req.setTimeout(0);
  await until.finally(place.release);
  req.setTimeout(timeout);
  if (req.socket.destroyed) return;
  req.deadline = new Deadline(REQUEST_TIME);
  req.memory.resize(SMALL);
  const options = { amount: LARGE_ANSWER, timeout: REQUEST_TIME, isAdmitted: true };
  req.processed = await req.shares.bytes.take(clientOf(req), 'processed', options);
}
