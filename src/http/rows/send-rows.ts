import { once } from 'node:events';
import type { Request, Response } from 'express';
import { withTimeout } from '../../db/pool/deadline.ts';
import type { Answer, RowStream } from '../../operation.ts';
import { confirmCredential } from '../authenticate.ts';
import type { RowRules } from '../validation/response-checks.ts';
import { whenClosed } from '../when-closed.ts';
import { rowFormats, toText } from './formats.ts';

interface RowAnswer extends Answer {
  body: RowStream<object>;
}

export function hasRows(answer: object): answer is RowAnswer {
  return 'body' in answer && typeof answer.body === 'function';
}

/**
 * Sends rows as fast as the client reads them, in the negotiated media type. Rejects if anything fails. If the headers have
 * been sent by then, the error handler resets the connection, so that the client notices that the file is incomplete.
 */
export async function sendRows(
  req: Request,
  res: Response,
  { status, body, columns }: RowAnswer,
  rules: RowRules,
  fields: readonly string[] | undefined,
): Promise<void> {
  // The contract documents no other media types.
  const format = rowFormats[req.mediaType as keyof typeof rowFormats];
  const headers = { ...req.responseHeaders, 'Content-Type': format.contentType };
  if (req.method === 'HEAD') {
    res.writeHead(status, headers).end();
    return;
  }
  // An export uses its own connection.
  const { turn } = req;
  turn.end();
  const release = await turn.shares.exports.take(turn.client, { timeout: turn.deadline.left });
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  whenClosed(res, leave);
  const shown = { columns: columns ?? rules.columns, check: rules.check, fields };
  const chunks = toText(body(leaving.signal), format, shown);
  try {
    // Before the headers, so that an error can still set the status.
    let chunk = await withTimeout(turn.deadline.left, chunks.next());
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
