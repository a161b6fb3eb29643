import { parse as parseForm } from 'node:querystring';
import { type NextFunction, type Request, type Response, raw } from 'express';
import { type FieldErrors, Problem } from './problem.ts';

/** Objects and arrays within each other, the body itself included. */
const MAX_DEPTH = 10;
/** Values of objects and arrays, all together: what is done with a body takes time for each, not for its bytes. */
const MAX_VALUES = 10_000;
/** So that a body with ten thousand faults gives no answer of a megabyte. */
const MAX_FAULTS = 50;

/** Readers by the bytes that they take. */
const readers = new Map<number, ReturnType<typeof raw>>();

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body where the operation takes one: 415, 413, and 400 for what is no JSON object. One that may be left out
 * and is left out counts as empty. The Content-Type is
 * reduced to the bare media type, since the validator keeps compiled schemas for each spelling of it.
 */
export function parseBody(req: Request, res: Response, next: NextFunction) {
  const { consumes, bodyRequired, bodyLimit } = req.match.operation;
  const contentType = req.headers['content-type'];
  if (consumes.length === 0) {
    delete req.headers['content-type'];
    return next();
  }
  if (!bodyRequired && !hasBody(req)) {
    // What the validator is to fill with defaults.
    req.headers['content-type'] = 'application/json';
    req.body = {};
    return next();
  }
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!consumes.includes(mediaType) || !isUtf8(contentType)) {
    throw new Problem(
      'unsupported_media_type',
      `The body must be ${consumes.join(' or ')} in UTF-8, and its Content-Type must say so.`,
    );
  }
  req.headers['content-type'] = mediaType;
  readerOf(bodyLimit)(req, res, (error?: unknown) => {
    if (error !== undefined) return next(unreadable(error as { type?: string }, bodyLimit));
    try {
      req.rawBody = req.body;
      req.body = parse(req);
      checkBody(req.body);
    } catch (problem) {
      return next(problem);
    }
    next();
  });
}

function readerOf(limit: number): ReturnType<typeof raw> {
  const reader = readers.get(limit) ?? raw({ limit, type: () => true });
  readers.set(limit, reader);
  return reader;
}

/** RFC 9112 section 6.3. */
function hasBody(req: Request): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = req.headers;
  return encoding !== undefined || Number(length) > 0;
}

export function isForm(req: Request): boolean {
  return req.headers['content-type'] === 'application/x-www-form-urlencoded';
}

function isUtf8(contentType = ''): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

/** The types of body-parser's errors (https://github.com/expressjs/body-parser#errors); a broken gzip has none. */
function unreadable({ type }: { type?: string }, limit: number): Problem {
  if (type === 'entity.too.large') {
    return new Problem('body_too_large', `The body must not be larger than ${limit / 1024} KiB.`);
  }
  if (type === 'encoding.unsupported') {
    return new Problem(
      'unsupported_media_type',
      'The body must be plain or compressed with gzip, deflate or br.',
    );
  }
  return new Problem(
    'invalid_json',
    'The body could not be read: it was cut off, or it is not what its headers say.',
  );
}

function parse(req: Request): unknown {
  const bytes: Buffer | undefined = req.body;
  try {
    const text = utf8.decode(bytes);
    return isForm(req)
      ? withoutEmpty(parseForm(text, '&', '=', { maxKeys: MAX_VALUES + 1 }))
      : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', 'The body is not valid JSON in UTF-8.');
  }
}

/** RFC 6749 section 3.2: a parameter without a value is as good as absent. Swagger UI sends an empty scope. */
function withoutEmpty(form: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}

/** What the contract's schemas can't say: an object, not too deep, with texts that PostgreSQL can hold. */
function checkBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid_json', 'The body must be a JSON object.');
  }
  const faults = new Map<string, string[]>();
  checkTexts(body, [], { faults, values: 0 });
  if (faults.size > 0) {
    const errors: FieldErrors = Object.fromEntries([...faults].slice(0, MAX_FAULTS));
    throw new Problem('validation_failed', 'The body has text that cannot be stored; see errors.', {
      details: { errors },
    });
  }
}

interface Found {
  faults: Map<string, string[]>;
  /** How many have been looked at. */
  values: number;
}

function checkTexts(value: unknown, path: readonly string[], found: Found): void {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) found.faults.set(path.join('.'), [fault]);
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) {
      throw new Problem('invalid_json', `The body must not be nested deeper than ${MAX_DEPTH} levels.`);
    }
    const members = Object.entries(value);
    found.values += members.length;
    if (found.values > MAX_VALUES) {
      throw new Problem('invalid_json', `The body must not have more than ${MAX_VALUES} values.`);
    }
    for (const [key, member] of members) {
      const fault = textFault(key);
      if (fault !== undefined) found.faults.set(path.join('.') || 'body', [`has a key that ${fault}`]);
      checkTexts(member, [...path, key], found);
    }
  }
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL (U+0000)';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode; it has half of a surrogate pair';
}
