import { parse as parseForm } from 'node:querystring';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Operation } from '../../../generated/operations.ts';
import { invalidFields, MAX_FIELD_ERRORS, Problem } from '../../problem.ts';
import { describeJsonFault } from '../../values/json-fault.ts';
import { charsetOf, mediaTypeOf, takesFiles } from '../media-types.ts';
import { hasBody } from '../request.ts';
import { readBody, skipBody } from './read-body.ts';

/** Maximum nesting of objects and arrays, including the body itself. */
const MAX_DEPTH = 10;

const FORM = 'application/x-www-form-urlencoded';

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of an operation that takes one into `req.body`, as bytes. Fails with 413 or 415. A missing optional body
 * counts as `{}`. Keeps Content-Type in `req.contentType`, and reduces the header to the media type as the contract spells
 * it.
 */
export const receiveBody: RequestHandler = (req, _res, next) => {
  const { method, consumes, bodyRequired, rawBody } = req.match.operation;
  const contentType = req.headers['content-type'];
  if (consumes.length === 0) {
    delete req.headers['content-type'];
    // An operation must not run for an incomplete request.
    return hasBody(req) ? skipBody(req).then(() => next()) : next();
  }
  if (!bodyRequired && !hasBody(req)) {
    // The contract fills in defaults.
    req.headers['content-type'] = 'application/json';
    req.body = {};
    return next();
  }
  const mediaType = mediaTypeOf(contentType);
  // Files and the data of hooks are decoded by what reads them.
  const isFile = takesFiles(req.match.operation);
  const isDecoded = !rawBody && !isFile;
  const isKnown = isUtf8(contentType) || (mediaType === FORM && isLatin1(contentType));
  if (!consumes.includes(mediaType) || (isDecoded && !isKnown)) {
    const charset = isDecoded ? ' in UTF-8' : '';
    throw new Problem(
      'unsupported_media_type',
      `The body must be ${alternatives.format(consumes)}${charset}, and its Content-Type must say so.`,
      // RFC 5789 section 2.2.
      { headers: method === 'patch' ? { 'Accept-Patch': consumes.join(', ') } : {} },
    );
  }
  req.contentType = contentType;
  req.headers['content-type'] = mediaType;
  if (isFile) {
    // The handler reads it. To the contract, it is a text.
    req.body = '';
    return next();
  }
  return receive(req, next);
};

async function receive(req: Request, next: NextFunction): Promise<void> {
  req.body = await readBody(req, limitOf(req));
  next();
}

/** How many bytes the body will have at most, if it is kept in memory. */
export function expectedBytes(req: Request): number {
  const { operation } = req.match;
  if (operation.consumes.length === 0 || takesFiles(operation) || !hasBody(req)) return 0;
  const limit = limitOf(req);
  return Math.min(declaredBytes(req) ?? limit, limit);
}

/** Bytes. */
function limitOf({ match: { operation }, headers }: Request): number {
  const { bodyLimit, multipartLimit } = operation;
  return mediaTypeOf(headers['content-type']) === 'multipart/form-data'
    ? (multipartLimit ?? bodyLimit)
    : bodyLimit;
}

/** Size of the body by Content-Length. Undefined if the body is chunked or compressed. */
function declaredBytes({ headers }: Request): number | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return encoding === undefined && length !== undefined ? Number(length) : undefined;
}

/** Parses the body, unless its handler does. Throws 400 if it is not a JSON object. */
export function parseBody(req: Request, _res: Response, next: NextFunction): void {
  if (Buffer.isBuffer(req.body)) {
    req.rawBody = req.body;
    req.body = req.match.operation.rawBody ? {} : parsed(req, req.body);
    checkBody(req.body, req.match.operation);
  }
  next();
}

export function isForm(req: Request): boolean {
  return req.headers['content-type'] === FORM;
}

/** Whether the body is in UTF-8, of which ASCII is a part, or says nothing else. */
function isUtf8(contentType: string | undefined): boolean {
  const charset = charsetOf(contentType);
  return charset === undefined || /^(utf-?8|(us-)?ascii)$/.test(charset);
}

/** What Apache HttpClient 5 and RestAssured name for forms by default. Credentials are in ASCII, of which it is a superset. */
function isLatin1(contentType: string | undefined): boolean {
  return charsetOf(contentType) === 'iso-8859-1';
}

/** Throws 400 if it is not JSON, or not in UTF-8. */
export function parsed(req: Request, bytes: Buffer): unknown {
  const text = isLatin1(req.contentType) ? bytes.toString('latin1') : decoded(bytes);
  if (isForm(req)) {
    return withoutEmpty(parseForm(text, '&', '=', { maxKeys: req.match.operation.bodyValues + 1 }));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = describeJsonFault(text, error as SyntaxError);
    throw new Problem('invalid_json', `The body is not valid JSON${fault}.`);
  }
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('invalid_json', 'The body is not valid UTF-8.');
  }
}

/** RFC 6749 section 3.2: a parameter without a value counts as omitted. Swagger UI sends an empty scope. */
function withoutEmpty(form: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
}

/**
 * Checks what the contract's schemas can't express: an object, not too deep, whose strings PostgreSQL can store. The strings
 * of items that are checked one by one are left to checkText().
 */
function checkBody(body: unknown, { bodyValues, checkedByItem }: Operation): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('invalid_json', 'The body must be a JSON object.');
  }
  const faults = faultsOf(body, bodyValues).filter(([field]) => !field.startsWith(`${checkedByItem}.`));
  if (faults.length > 0) throw invalidFields(Object.fromEntries(faults.slice(0, MAX_FIELD_ERRORS)));
}

/** Throws 422 for strings that PostgreSQL can't store. */
export function checkText(value: unknown): void {
  const faults = faultsOf(value, Number.POSITIVE_INFINITY);
  if (faults.length > 0) throw invalidFields(Object.fromEntries(faults.slice(0, MAX_FIELD_ERRORS)));
}

/** Fields with a string that PostgreSQL can't store, and why. Throws 400 if the body is too deep or has too many values. */
function faultsOf(body: unknown, maxValues: number): [string, string[]][] {
  const faults = new Map<string, string[]>();
  checkStrings(body, [], { faults, values: 0, maxValues });
  return [...faults];
}

interface CheckState {
  faults: Map<string, string[]>;
  /** Values checked so far. */
  values: number;
  maxValues: number;
}

function checkStrings(value: unknown, path: string[], state: CheckState): void {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) state.faults.set(path.join('.'), [fault]);
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) {
      throw new Problem('invalid_json', `The body must not be nested deeper than ${MAX_DEPTH} levels.`);
    }
    const members = Object.entries(value);
    state.values += members.length;
    if (state.values > state.maxValues) {
      throw new Problem('invalid_json', `The body must not have more than ${state.maxValues} values.`);
    }
    for (const [key, member] of members) {
      const fault = textFault(key);
      if (fault !== undefined) {
        // Reported under its object's name: its own can't be stored with an idempotent response either.
        state.faults.set(path.join('.') || 'body', [`has an invalid key: it ${fault}`]);
        continue;
      }
      path.push(key);
      checkStrings(member, path, state);
      path.pop();
    }
  }
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL (U+0000)';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode; it contains a lone surrogate';
}
