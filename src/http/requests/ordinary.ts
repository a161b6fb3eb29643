import type { Request } from 'express';
import type { Answer } from '../../operation.ts';
import { readFromReplica } from '../reads.ts';
import { contextOf } from './context-of.ts';
import type { Answering, Handler, Kind, Outcome } from './kind.ts';

/** A request that is answered in seconds: one transaction if it writes. */
export const answerOrdinary: Kind = (req, _res, answering) =>
  inTime(req, run(req, answering)) as Promise<Answer>;

/** Waits for the work until the request's time is over. It may go on after that. */
export function inTime<Result>(req: Request, work: Promise<Result>): Promise<Result> {
  // Its result may be large, and the client may read slowly.
  const forget = () => {
    req.running = undefined;
  };
  req.running = work.then(forget, forget);
  return req.deadline.race(work);
}

/** Runs the operation. */
export async function run(req: Request, { handler, services }: Answering): Promise<Outcome> {
  const { input } = req;
  const { method, ownTransaction } = req.match.operation;
  const context = await contextOf(req, services);
  if (method === 'get') return readFromReplica(req, context, (source) => handler(input, source));
  if (ownTransaction) return handler(input, context);
  // An operation that writes is never suspended.
  return context.write(input.body, (db) => (handler as Handler<Answer>)(input, { ...context, db }));
}
