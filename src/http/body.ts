import { json, type NextFunction, type Request, type Response, urlencoded } from 'express';
import { type FieldErrors, Problem } from './problem.ts';

/** Bytes, after decompression. */
const MAX_BODY = 256 * 1024;
const MAX_DEPTH = 10;
const MAX_FORM_FIELDS = 100;

const parseJson = json({ limit: MAX_BODY, strict: false, type: () => true });
const parseForm = urlencoded({
  limit: MAX_BODY,
  extended: false,
  type: () => true,
  parameterLimit: MAX_FORM_FIELDS,
});

/**
 * Reads the body where the operation takes one: 415, 413, and 400 for what is no JSON object. The Content-Type is
 * reduced to the bare media type, since the validator keeps compiled schemas for each spelling of it.
 */
export function parseBody(req: Request, res: Response, next: NextFunction) {
  const { consumes } = req.match.operation;
  const contentType = req.headers['content-type'];
  if (consumes.length === 0) {
    delete req.headers['content-type'];
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
  const parse = isForm(req) ? parseForm : parseJson;
  parse(req, res, (error?: unknown) => {
    if (error !== undefined) return next(error);
    try {
      checkBody(req.body);
    } catch (problem) {
      return next(problem);
    }
    next();
  });
}

export function isForm(req: Request): boolean {
  return req.headers['content-type'] === 'application/x-www-form-urlencoded';
}

function isUtf8(contentType = ''): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

/** What the contract's schemas can't say: an object, not too deep, with texts that PostgreSQL can hold. */
function checkBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid_json', 'The body must be a JSON object.');
  }
  const errors: FieldErrors = {};
  checkTexts(body, [], errors);
  if (Object.keys(errors).length > 0) {
    throw new Problem('validation_failed', 'The body has text that cannot be stored; see errors.', {
      details: { errors },
    });
  }
}

function checkTexts(value: unknown, path: readonly string[], errors: FieldErrors): void {
  if (path.length > MAX_DEPTH) {
    throw new Problem('invalid_json', `The body must not be nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) errors[path.join('.')] = [fault];
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const fault = textFault(key);
      if (fault !== undefined) errors[path.join('.') || 'body'] = [`has a key that ${fault}`];
      checkTexts(member, [...path, key], errors);
    }
  }
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL (U+0000)';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode; it has half of a surrogate pair';
}
