import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { Answer, RowStream } from '../../operation.ts';
import { confirmCredential } from '../authenticate.ts';
import { expandedColumns } from '../expand/expand.ts';
import { clientOf } from '../limits/rate-limit.ts';
import type { RowRules } from '../validation/response-checks.ts';
import { whenClosed } from '../when-closed.ts';
import { rowFormats, toText } from './formats.ts';

interface RowAnswer extends Answer {
  body: RowStream<object>;
}

export function hasRows(answer: object): answer is RowAnswer {
  return 'body' in answer && typeof answer.body === 'function';
}

/** Such as `leads`, or `imports-rows`. */
function fileName({ match }: Request): string {
  const names = match.operation.path.split('/').filter((name) => /^[a-z-]+$/.test(name) && name !== 'export');
  return names.join('-');
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
  { fields, expand }: { fields: readonly string[] | undefined; expand: readonly string[] | undefined },
): Promise<void> {
  // The contract documents no other media types.
  const format = rowFormats[req.mediaType as keyof typeof rowFormats];
  const headers = {
    ...req.responseHeaders,
    'Content-Type': format.contentType,
    'Content-Disposition': `attachment; filename="${fileName(req)}.${format.extension}"`,
  };
  if (req.method === 'HEAD') {
    res.writeHead(status, headers).end();
    return;
  }
  const { shares, deadline } = req;
  const place = await shares.streams.take(clientOf(req), 'exports', { timeout: deadline.left });
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  whenClosed(res, leave);
  const shown = { columns: columns ?? expandedColumns(rules.columns, expand), check: rules.check, fields };
  const chunks = toText(body(leaving.signal), format, shown);
  try {
    // Before the headers, so that an error can still set the status.
    let chunk = await deadline.race(chunks.next());
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
    place.release();
    await chunks.return(undefined).catch(() => undefined);
  }
}
