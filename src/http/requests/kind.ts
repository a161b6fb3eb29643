import type { Request, Response } from 'express';
import type { Answer, OperationContext, Services, Suspension } from '../../operation.ts';

export type Outcome = Answer | Suspension<Answer>;

export type Handler<Result = Outcome> = (input: unknown, context: OperationContext) => Promise<Result>;

/** What answers a request. */
export interface Answering {
  /** Its results are valid by the contract: one that isn't rolls the transaction back. */
  handler: Handler;
  services: Services;
  /** Throws if the answer breaks the contract. */
  check(answer: Answer): Answer;
}

/** Answers the requests of one kind. Resolves with undefined if the client has left. */
export type Kind = (req: Request, res: Response, answering: Answering) => Promise<Answer | undefined>;
