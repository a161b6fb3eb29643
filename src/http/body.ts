import { parse as parseForm } from 'node:querystring';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Operation } from '../../generated/operations.ts';
import { invalidFields, MAX_FIELD_ERRORS, Problem } from '../problem.ts';
import { hasBody } from './limits/arrival.ts';
import { type ByteBudget, createByteBudget } from './limits/byte-budget.ts';
import { readBody, skipBody } from './read-body.ts';
import { whenClosed } from './when-closed.ts';

/** Maximum nesting of objects and arrays, including the body itself. */
const MAX_DEPTH = 10;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Larger limits are those of batches, whose bodies are read and handled a few at a time. Bytes. */
const MAX_COMMON_LIMIT = 1024 * 1024;
/** Maximum bytes of large bodies held while they arrive, and of those handled at a time: that takes ten times their size. */
const MAX_ARRIVING = 32 * 1024 * 1024;
const MAX_HANDLED = 8 * 1024 * 1024;

/**
 * Returns a middleware that reads the body if the operation takes one. It fails with 415, 413, or 400 if the body is not a
 * JSON object. A missing optional body counts as `{}`. Reduces Content-Type to the bare media type, since the validator
 * caches compiled schemas by its exact spelling.
 */
export function createBodyParser(): RequestHandler {
  const arriving = createByteBudget(MAX_ARRIVING);
  const handled = createByteBudget(MAX_HANDLED);

  async function parseLarge(req: Request, res: Response, next: NextFunction): Promise<void> {
    const { bodyLimit } = req.match.operation;
    const hasArrived = await holdUntilClosed(res, arriving, declaredBytes(req) ?? bodyLimit);
    req.body = await readBody(req, bodyLimit);
    await holdUntilClosed(res, handled, req.body.length);
    parse(req);
    hasArrived();
    next();
  }

  async function parseSmall(req: Request, next: NextFunction): Promise<void> {
    req.rawBody = await readBody(req, req.match.operation.bodyLimit);
    req.body = req.rawBody;
    parse(req);
    next();
  }

  return (req, res, next) => {
    const { method, consumes, bodyRequired, bodyLimit } = req.match.operation;
    const contentType = req.headers['content-type'];
    if (consumes.length === 0) {
      delete req.headers['content-type'];
      // An operation must not run for a request that doesn't arrive whole.
      return hasBody(req) ? skipBody(req).then(() => next()) : next();
    }
    if (!bodyRequired && !hasBody(req)) {
      // So that the validator fills in defaults.
      req.headers['content-type'] = 'application/json';
      req.body = {};
      return next();
    }
    const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!consumes.includes(mediaType) || !isUtf8(contentType)) {
      throw new Problem(
        'unsupported_media_type',
        `The body must be ${consumes.join(' or ')} in UTF-8, and its Content-Type must say so.`,
        // RFC 5789 section 2.2.
        { headers: method === 'patch' ? { 'Accept-Patch': consumes.join(', ') } : {} },
      );
    }
    req.headers['content-type'] = mediaType;
    if (isStreamed(req.match.operation)) {
      // Anything but undefined, so that the validator finds a body.
      req.body = '';
      return next();
    }
    return bodyLimit > MAX_COMMON_LIMIT ? parseLarge(req, res, next) : parseSmall(req, next);
  };
}

/** Takes bytes for as long as the response takes, or until the returned function is called. */
async function holdUntilClosed(res: Response, budget: ByteBudget, bytes: number): Promise<() => void> {
  const release = await budget(bytes);
  whenClosed(res, release);
  return release;
}

/** Size of the body, if the request says so. */
function declaredBytes({ headers }: Request): number | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return encoding === undefined && length !== undefined ? Number(length) : undefined;
}

/** Parses `req.body`. */
function parse(req: Request): void {
  req.body = parsed(req);
  checkBody(req.body, req.match.operation);
}

/** Whether the handler reads the body while it arrives: rows of any number. */
export function isStreamed({ consumes }: Operation): boolean {
  return consumes.includes('application/x-ndjson');
}

export function isForm(req: Request): boolean {
  return req.headers['content-type'] === 'application/x-www-form-urlencoded';
}

function isUtf8(contentType = ''): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function parsed(req: Request): unknown {
  const bytes: Buffer | undefined = req.body;
  try {
    const text = utf8.decode(bytes);
    return isForm(req)
      ? withoutEmpty(parseForm(text, '&', '=', { maxKeys: req.match.operation.bodyValues + 1 }))
      : JSON.parse(text);
  } catch {
    throw new Problem('invalid_json', 'The body is not valid JSON in UTF-8.');
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
        // The key would be part of the names of all fields below, and PostgreSQL can't store it in an answer either.
        state.faults.set(path.join('.') || 'body', [`has a key that ${fault}`]);
        continue;
      }
      path.push(key);
      checkStrings(member, path, state);
      path.pop();
    }
  }
}

export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL (U+0000)';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode; it contains a lone surrogate';
}
