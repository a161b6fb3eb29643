import { once } from 'node:events';
import type { Request, Response } from 'express';
import { withTimeout } from '../../db/pool/deadline.ts';
import type { Answer, RowStream } from '../../operation.ts';
import { confirmCredential } from '../authenticate.ts';
import type { RowRules } from '../validation/response-checks.ts';
import { whenClosed } from '../when-closed.ts';
import { rowFormats, toText } from './formats.ts';

/** Maximum time until the first rows are there. Milliseconds. */
const START_TIMEOUT = 16_500;

interface RowAnswer extends Answer {
  body: RowStream<object>;
}

export function hasRows(answer: object): answer is RowAnswer {
  return 'body' in answer && typeof answer.body === 'function';
}

/**
 * Sends rows as the client takes them, in the negotiated media type. Rejects if anything fails; after the headers, the error
 * handler then resets the connection, so that the client does not take what it has for the whole.
 */
export async function sendRows(
  req: Request,
  res: Response,
  { status, body }: RowAnswer,
  rules: RowRules,
): Promise<void> {
  // The contract documents no other media types.
  const format = rowFormats[req.mediaType as keyof typeof rowFormats];
  const headers = { ...req.responseHeaders, 'Content-Type': format.contentType };
  if (req.method === 'HEAD') {
    res.writeHead(status, headers).end();
    return;
  }
  // An export has a connection of its own.
  req.turn.end();
  const release = await req.turn.shares.exports.take(req.turn.client);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  whenClosed(res, leave);
  const chunks = toText(body(leaving.signal), format, rules);
  try {
    // Before the headers, since an error may still get a status of its own.
    let chunk = await withTimeout(START_TIMEOUT, chunks.next());
    res.writeHead(status, headers);
    for (; !chunk.done; chunk = await chunks.next()) {
      await confirmCredential(req, req.context.db);
      const isTaken = res.write(Buffer.from(chunk.value));
      if (!isTaken) await once(res, 'drain', { signal: leaving.signal });
    }
    res.end();
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    leave();
    release();
    await chunks.return(undefined).catch(() => undefined);
  }
}
