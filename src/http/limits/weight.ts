import type { Request } from 'express';
import type { Operation, RateLimitClass } from '../../../generated/operations.ts';
import type { Db } from '../../db/db.ts';
import { anonymous } from '../../principal.ts';
import { Problem } from '../../problem.ts';
import type { Deadline } from '../../values/deadline.ts';
import type { Held } from './fair-share.ts';
import { limitDb } from './limited-db.ts';
import { classOf, clientOf } from './rate-limit.ts';
import { EXPANSION, LARGE_ANSWER } from './share-limits.ts';

/** A request is heavy if its body is larger, its page has more rows, or its page comes after more rows. */
const MAX_LIGHT_BODY = 64 * 1024;
const MAX_LIGHT_PAGE = 20;
const MAX_LIGHT_OFFSET = 1_000;

/** The classes whose requests may read a whole table. */
const slowClasses: ReadonlySet<RateLimitClass> = new Set<RateLimitClass>(['search', 'analytics']);

interface Weight {
  /** Whether the request may take long, as searches, reports and deep pages do, or much memory. */
  isHeavy: boolean;
  /** How much memory, unless it is little. */
  bytes: number;
}

export function weightOf(req: Request): Weight {
  const { match, body } = req;
  const { largeAnswer, query } = match.operation;
  // Express parses the URL on each access to `query`.
  const { page = 1, per_page = 0 } = query.includes('per_page') ? req.query : {};
  const isLargeAnswer = largeAnswer || Number(per_page) > MAX_LIGHT_PAGE;
  const isLargeBody = Buffer.isBuffer(body) && body.length > MAX_LIGHT_BODY;
  const bytes = (isLargeBody ? EXPANSION * body.length : 0) + (isLargeAnswer ? LARGE_ANSWER : 0);
  const isDeep = (Number(page) - 1) * (Number(per_page) || MAX_LIGHT_PAGE) > MAX_LIGHT_OFFSET;
  return { isHeavy: bytes > 0 || isDeep || slowClasses.has(classOf(req)), bytes };
}

/** Whether the request may wait for events. */
export function waits({ match, query }: Request): boolean {
  return match.operation.query.includes('wait') && Number(query.wait) > 0;
}

/** The database as the request may use it. */
export function dbOf(req: Request, db: Db = req.context.db): Db {
  const { shares, match, principal } = req;
  const client = clientOf(req);
  if (isLookup(match.operation) && principal !== anonymous) return shares.lookupDb(db, client);
  const kind = principal === anonymous ? 'anonymous' : principal.hookId === null ? req.queryKind : 'hook';
  let isAdmitted = false;
  const take = ({ left: timeout }: Deadline) => {
    const held = shares.queries.take(client, kind, { timeout, isAdmitted });
    const isFirst = !isAdmitted;
    isAdmitted = true;
    return isFirst && held instanceof Promise ? held.then((one) => unlessGone(req, one)) : held;
  };
  return limitDb(db, () => req.deadline, take);
}

/** Nobody waits any more for what has not begun. */
function unlessGone({ socket }: Request, held: Held): Held {
  if (!socket.destroyed) return held;
  held.release();
  throw new Problem('request_timeout', 'The client has disconnected.');
}

/** Whether the operation reads a single row. */
function isLookup({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'get' && path.endsWith('}');
}
