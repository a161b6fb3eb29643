import { hash } from 'node:crypto';
import type { OperationContext } from '../../operation.ts';
import type { InboundHookRow } from '../tables.ts';
import { type Body, type Read, readBody } from './body/read-body.ts';
import { redactedBody, withoutSecret } from './body/redact.ts';
import { verifyField, verifyHeaders } from './verify-sender.ts';

/** A body whose sender was verified. */
interface Received {
  /** What is stored: the bytes that came. If they have the hook's secret, the same data without it. */
  body: Body;
  read: Read;
  /** SHA-256 of what identifies the delivery. */
  dedupeKey: Buffer;
}

/** Throws 401 unless the sender is who the hook expects, and 400 for a body that can't be read. */
export function receiveBody(hook: InboundHookRow, context: OperationContext): Received {
  verifyHeaders(hook, context);
  const { rawBody: bytes = Buffer.alloc(0), contentType = '', headers, secretKey } = context;
  const given = { bytes, contentType };
  const readAll = readBody(given);
  const secret = verifyField(hook, readAll.payload, secretKey);
  const body = secret === undefined ? given : redactedBody(given, secret);
  const read = secret === undefined ? readAll : (withoutSecret(readAll, secret) as Read);
  return { body, read, dedupeKey: dedupeKeyOf(headers['webhook-id'], body, read) };
}

/** The sender's id, else the body. Of multipart/form-data, what it says: its boundary is another each time. */
function dedupeKeyOf(id: string | string[] | undefined, { bytes, contentType }: Body, read: Read): Buffer {
  if (id) return hash('sha256', `webhook-id ${id}`, 'buffer');
  return hash('sha256', /^multipart\//i.test(contentType) ? JSON.stringify(read.payload) : bytes, 'buffer');
}
