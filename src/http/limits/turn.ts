import type { Request, RequestHandler, Response } from 'express';
import type { Operation, RateLimitClass } from '../../../generated/operations.ts';
import type { Db } from '../../db/db.ts';
import { anonymous } from '../../principal.ts';
import { isUpload } from '../body/body.ts';
import { Deadline } from '../deadline.ts';
import { whenClosed } from '../when-closed.ts';
import type { FairShare, Release } from './fair-share.ts';
import { classOf, clientOf } from './rate-limit.ts';
import type { Shares } from './shares.ts';

/** Maximum time from a request's arrival to its response. Milliseconds. */
const REQUEST_TIME = 16_500;
/** A request is heavy if its body is larger, its page has more rows, or its page comes after more rows. */
const MAX_LIGHT_BODY = 64 * 1024;
const MAX_LIGHT_PAGE = 20;
const MAX_LIGHT_OFFSET = 1_000;
/** Size of a body that takes as much memory as a large response. Both take about ten times their size. */
const LARGE_ANSWER = 2 * 1024 * 1024;

/** The classes whose requests may read a whole table. */
const slowClasses: ReadonlySet<RateLimitClass> = new Set<RateLimitClass>(['search', 'analytics']);

/** The parts of its client's shares that a request holds while it runs. */
export class Turn {
  readonly shares: Shares;
  readonly client: string;
  deadline = new Deadline(Number.POSITIVE_INFINITY);
  #held: Release[] = [];
  /** What the request has begun, and what may go on after its time is over. */
  #work: Promise<unknown> | undefined;

  constructor(shares: Shares, req: Request) {
    this.shares = shares;
    this.client = clientOf(req);
  }

  /** Takes the shares that the request needs. Throws 503 if its client has used them up for too long. */
  async begin(req: Request, isAdmitted = false): Promise<void> {
    const { shares } = this;
    const take = async (share: FairShare, amount = 1) => {
      const timeout = this.deadline.left;
      this.#held.push(await share.take(this.client, { amount, timeout, isAdmitted }));
    };
    if (isUpload(req)) return take(shares.uploads);
    this.deadline = new Deadline(REQUEST_TIME);
    const { isHeavy, bytes } = weightOf(req);
    try {
      // The heavy share comes first: a request that waits for it must not delay its client's light requests.
      if (isHeavy) await take(shares.heavy);
      await take(runningShare(shares, req));
      if (bytes > 0) await take(shares.memory, bytes);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Waits, and holds only a place in `waits` meanwhile. Throws 503 if its client has too many waiting requests. */
  async suspend(req: Request, until: Promise<unknown>): Promise<void> {
    const release = await this.shares.waits.take(this.client);
    const { timeout = 0 } = req.socket;
    this.end();
    req.setTimeout(0);
    await until;
    req.setTimeout(timeout);
    release();
    await this.begin(req, true);
  }

  /**
   * Ends the turn once the response is written. Bytes that the client has not read yet move to its share of unread bytes.
   * If that is used up, the response keeps its turn.
   */
  async finish(res: Response): Promise<void> {
    const amount = res.writableLength;
    if (amount === 0) return this.end();
    whenClosed(res, () => this.end());
    const taken = this.shares.unread.take(this.client, { amount, isAdmitted: true });
    const release = await Promise.resolve(taken).catch(() => undefined);
    if (release === undefined) return;
    whenClosed(res, release);
    this.end();
  }

  /** Waits for the work until the request's time is over. */
  limit<Result>(work: Promise<Result>): Promise<Result> {
    const settled = () => {
      if (this.#work === work) this.#work = undefined;
    };
    this.#work = work;
    work.then(settled, settled);
    return this.deadline.limit(work);
  }

  /** The database as the request may use it. */
  db({ match, context }: Request): Db {
    return isLookup(match.operation) ? this.shares.lookupDb(context.db, this.client) : context.db;
  }

  /** Gives the shares back, as soon as no query of the request is running any more. */
  end(): void {
    this.deadline.clear();
    const held = this.#held;
    this.#held = [];
    const release = () => {
      for (const each of held) each();
    };
    if (this.#work === undefined) release();
    else this.#work.then(release, release);
  }
}

/** Runs the steps while the request has its turn. The last step calls back when it has responded. */
export function takeTurns(shares: Shares, steps: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    req.turn = new Turn(shares, req);
    try {
      await req.turn.begin(req);
    } finally {
      req.releaseBody?.();
    }
    // The client has disconnected.
    if (req.socket.destroyed) return req.turn.end();
    steps(req, res, (error?: unknown) => {
      if (error === undefined) return void req.turn.finish(res);
      req.turn.end();
      next(error);
    });
  };
}

function runningShare(shares: Shares, { match, principal }: Request): FairShare {
  if (principal === anonymous) return shares.anonymous;
  if (principal.hookId !== null) return shares.hooks;
  return isLookup(match.operation) ? shares.lookups : shares.running;
}

/** Whether the operation reads a single row. */
function isLookup({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return method === 'get' && path.endsWith('}');
}

/** Whether a request may take long, as searches, reports and deep pages do, or much memory. `bytes` says how much memory. */
function weightOf(req: Request): { isHeavy: boolean; bytes: number } {
  const { match, body } = req;
  const { largeAnswer, query } = match.operation;
  // Express parses the URL on each access to `query`.
  const { page = 1, per_page = 0 } = query.includes('per_page') ? req.query : {};
  const isLargeAnswer = largeAnswer || Number(per_page) > MAX_LIGHT_PAGE;
  const isLargeBody = Buffer.isBuffer(body) && body.length > MAX_LIGHT_BODY;
  const bytes = (isLargeBody ? body.length : 0) + (isLargeAnswer ? LARGE_ANSWER : 0);
  const isDeep = (Number(page) - 1) * (Number(per_page) || MAX_LIGHT_PAGE) > MAX_LIGHT_OFFSET;
  return { isHeavy: bytes > 0 || isDeep || slowClasses.has(classOf(req)), bytes };
}
