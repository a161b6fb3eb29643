import { hash } from 'node:crypto';
import { operations } from '../../../generated/operations.ts';
import type { OperationContext } from '../../operation.ts';
import { Problem } from '../../problem.ts';
import type { InboundHookRow } from '../tables.ts';
import { type Body, type Read, readBody } from './body/read-body.ts';
import { bodyWithoutFiles, redactedBody, withoutSecret } from './body/redact.ts';
import { verifyField, verifyHeaders } from './verify-sender.ts';

/** Only a form with files may be larger. Bytes. */
const MAX_STORED = operations.receiveInboundDelivery.bodyLimit;

/** A body whose sender was verified. */
interface Received {
  /** What is stored: the bytes that came, or the same data without the hook's secret or large files. */
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
  const body = storedBody(given, secret);
  const read = secret === undefined ? readAll : (withoutSecret(readAll, secret) as Read);
  return { body, read, dedupeKey: dedupeKeyOf(headers['webhook-id'], body, read) };
}

/** Throws 413 if the texts of a form with files are too large. */
function storedBody(given: Body, secret: string | undefined): Body {
  const hasLargeFiles = given.bytes.length > MAX_STORED;
  if (secret === undefined && !hasLargeFiles) return given;
  const body = secret === undefined ? bodyWithoutFiles(given) : redactedBody(given, secret);
  if (!hasLargeFiles || body.bytes.length <= MAX_STORED) return body;
  const message = `Without its files, the form must not be larger than ${MAX_STORED / 1024} KiB.`;
  throw new Problem('body_too_large', message);
}

/** The sender's id, else the body. Of multipart/form-data, what it says: its boundary is another each time. */
function dedupeKeyOf(id: string | string[] | undefined, { bytes, contentType }: Body, read: Read): Buffer {
  if (id) return hash('sha256', `webhook-id ${id}`, 'buffer');
  return hash('sha256', /^multipart\//i.test(contentType) ? JSON.stringify(read.payload) : bytes, 'buffer');
}
