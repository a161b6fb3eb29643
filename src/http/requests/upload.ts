import type { Request } from 'express';
import type { Answer } from '../../operation.ts';
import { Deadline } from '../../values/deadline.ts';
import { confirmCredential } from '../authenticate.ts';
import { receiveUpload } from '../body/upload.ts';
import { clientOf } from '../limits/rate-limit.ts';
import { contextOf } from './context-of.ts';
import type { Kind } from './kind.ts';

/** A request with a file, which its handler reads as it arrives. It may take as long as the client goes on sending. */
export const answerUpload: Kind = async (req, res, { handler, services }) => {
  const place = await req.shares.uploads.take(clientOf(req), 'upload');
  req.deadline = new Deadline(Number.POSITIVE_INFINITY);
  try {
    const input = { ...req.input, body: received(req, receiveUpload(req, res)) };
    return (await handler(input, await contextOf(req, services))) as Answer;
  } finally {
    place.release();
    // Most clients read the response only after they have sent everything, so the rest is read too.
    req.resume();
  }
};

/** The body of an upload. Fails once the credential is revoked. */
async function* received(req: Request, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    await confirmCredential(req, req.context.db);
    yield piece;
  }
}
