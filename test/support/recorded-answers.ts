/** The answers that a run's tests got, for test/check-answers.ts. Each worker writes them to a file of its own. */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** An answer in JSON. */
export interface Answer {
  method: string;
  /** The operation's, with `x` for each parameter. */
  path: string;
  status: number;
  contentType: string;
  body: string;
}

type Headers = Record<string, string | string[] | undefined>;

const PREFIX = 'answers-';

/** The folder that takes the answers, if this run keeps them. */
const { SEEN_ANSWERS: folder } = process.env;
export const isRecording = Boolean(folder);

const recorded = new Set<string>();

/** Records an answer to an operation, unless it isn't JSON, or differs from an earlier one only in ids, times and UUIDs. */
export function record(
  { method, target, template, status }: { method: string; target: string; template: string; status: number },
  headers: Headers,
  bytes: Buffer,
): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding } = headers;
  // With ?fields, an answer has only some of them.
  if (!folder || !/^application\/json\b/.test(String(contentType)) || hasFields(target)) return;
  if (method === 'HEAD' || bytes.length === 0) return;
  const body = decode(bytes, String(encoding ?? 'identity'));
  const path = template.replaceAll(/{\w+}/g, 'x');
  const answer: Answer = { method, path, status, contentType: String(contentType), body };
  const same = JSON.stringify({ ...answer, body: withoutNames(body) });
  const digest = createHash('sha256').update(same).digest('base64');
  if (recorded.has(digest)) return;
  recorded.add(digest);
  appendFileSync(join(folder, `${PREFIX}${process.pid}`), `${JSON.stringify(answer)}\n`);
}

function hasFields(target: string): boolean {
  const [, query = ''] = target.split('?', 2);
  return [...new URLSearchParams(query).keys()].some((name) => name.startsWith('fields'));
}

function decode(bytes: Buffer, encoding: string): string {
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  return (encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString();
}

/** The body with one name for all valid ids, one for all instants, and one for all UUIDs. */
function withoutNames(body: string): string {
  return body
    .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_id')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'instant')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'uuid');
}

export function readAnswers(from: string): Answer[] {
  const files = readdirSync(from).filter((name) => name.startsWith(PREFIX));
  return files.flatMap((file) =>
    readFileSync(join(from, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}
