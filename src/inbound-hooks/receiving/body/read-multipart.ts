import { MaxPartsExceededError, type MultipartPart, parseMultipart } from '@remix-run/multipart-parser';
import { charsetOf } from '../../../http/media-types.ts';
import type { RawField } from './form-fields.ts';

/** The headers of a part. Bytes. */
const MAX_HEADER = 8 * 1024;

interface Multipart {
  fields: RawField[];
  /** Those that are not empty. They are not kept. */
  files: { field: Uint8Array; name: Uint8Array }[];
}

/**
 * Reads multipart/form-data with at most `max` parts, or nothing if there are more. Throws if it is malformed or incomplete.
 */
export function readMultipart(bytes: Buffer, contentType: string, max: number): Multipart | undefined {
  // The parser requires headers in UTF-8. So it gets each byte as a character, and the text is made into bytes again.
  const message = Buffer.from(bytes.toString('latin1'), 'utf8');
  const limit = message.length;
  const limits = { maxHeaderSize: MAX_HEADER, maxFileSize: limit, maxTotalSize: limit, maxParts: max };
  const read: Multipart = { fields: [], files: [] };
  try {
    for (const part of parseMultipart(message, { boundary: boundaryOf(contentType), ...limits }))
      add(read, part);
  } catch (error) {
    if (error instanceof MaxPartsExceededError) return undefined;
    throw error;
  }
  return read;
}

function add({ fields, files }: Multipart, part: MultipartPart): void {
  const { name, filename } = part;
  if (name === undefined) return;
  const field = Buffer.from(name, 'latin1');
  // A browser sends an empty file for each file field that is not filled in.
  if (!part.isFile) {
    const charset = charsetOf(part.headers['content-type'] ?? '');
    fields.push({ name: field, value: Buffer.from(part.text, 'latin1'), charset });
  } else if (part.size > 0) {
    files.push({ field, name: Buffer.from(filename ?? name, 'latin1') });
  }
}

/** RFC 2046 section 5.1.1. */
function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new Error('The Content-Type has no boundary.');
  return boundary;
}
