import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimitRequestHandler } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { RateLimitClass } from '../generated/operations.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Db } from './db/db.ts';
import type { RowsRequest } from './db/list/all-rows.ts';
import type { ListSource } from './db/list/page.ts';
import type { Listener } from './db/pool/listener.ts';
import type { Primary } from './db/pool/primary.ts';
import type { Route } from './db/pool/route.ts';
import type { Probe } from './db/probe.ts';
import type { Replica } from './db/replica/replica.ts';
import type { SnapshotRows } from './db/snapshot.ts';
import type { Environment } from './environment.ts';
import type { Principal } from './principal.ts';
import type { SecretKey } from './values/secrets.ts';

/** Runs an attempt to find a secret's owner. Rejects with 429 after too many failed attempts. */
export type AttemptLimiter = <Found>(find: () => Promise<Found | undefined>) => Promise<Found | undefined>;

/** Ed25519 public key (RFC 8037). */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

/** The contents of an access token. */
export interface TokenClaims {
  /** The client's public id, `client_…`. */
  clientId: string;
  scopes: readonly string[];
  jti: string;
  expiresAt: Date;
}

/** Who gets an access token. */
export interface TokenOwner {
  /** The client's public id, `client_…`. */
  clientId: string;
  /** The client's current token generation. */
  generation: number;
}

/** Authentication and tokens of one environment. */
export interface Auth {
  /** Authenticates a request by its headers. Without a valid credential, it throws or rejects with a 401 Problem. */
  authenticate(headers: IncomingHttpHeaders, limitGuess: AttemptLimiter): Principal | Promise<Principal>;
  /** The enabled hook with this URL token. It has no scopes. Undefined if there is none. */
  authenticateHook(token: string, limitGuess: AttemptLimiter): Promise<Principal | undefined>;
  /** Whether the user (UUID) exists and is active. */
  isActiveUser(id: string): Promise<boolean>;
  /** Changes when a credential may have been revoked. Undefined while that isn't known. */
  revision(): number | undefined;
  /** Throws 401 (404 for a hook) if the credential was revoked after it was authenticated. Takes one lookup in `trx`. */
  confirm(principal: Principal, trx: Db): Promise<void>;
  /** `lifetime` is in seconds. */
  issueToken(owner: TokenOwner, scopes: readonly string[], lifetime: number): Promise<string>;
  /** The contents of a token. Undefined if it is invalid. */
  readToken(token: string): Promise<TokenClaims | undefined>;
  /** Stores when API keys were last used. */
  recordUses(): Promise<void>;
  /** Call after a change of a client or key. This process then verifies each credential again; others are notified. */
  forget(): void;
  /** Hits and misses of the credential cache. */
  cacheCounts(): { hits: number; misses: number };
  publicJwks(): Promise<PublicJwk[]>;
}

interface EventFilter {
  types: readonly string[] | undefined;
  /** UUID. */
  resourceId: string | undefined;
}

/** Where to continue reading. No event before `after` matches. */
export interface Growth {
  after: number;
  /** The log is complete up to here. Equal to `after` if no event came in time; lower if `after` is beyond the end of the log. */
  complete: number;
}

/** Wakes requests that wait for events of one environment. */
export interface EventWatch {
  /** True if there is no known event after the position. */
  isAtEnd(after: number): boolean;
  /**
   * Waits up to this many milliseconds for matching events after a position. `cancel` ends the wait early, like a timeout.
   */
  wait(
    after: number,
    filter: EventFilter,
    milliseconds: number,
  ): { readonly growth: Promise<Growth>; cancel(): void };
  /** Ends all waits. Later ones end immediately. */
  stop(): void;
}

/** Notices that the database has lost events of one environment. */
export interface History {
  /** Compares the last events that this process has committed with the log. */
  check(): Promise<void>;
  /** Called when a follower's cursor is rejected because the log lacks its event. */
  reject(position: number): void;
  /** How often each of these has happened. */
  readonly counts: Readonly<Record<'lost' | 'rejected', number>>;
}

/** Reads all matching rows of a list from one snapshot. */
type ReadSnapshot = <Row>(
  source: ListSource,
  request: RowsRequest,
  signal: AbortSignal,
) => AsyncGenerator<SnapshotRows<Row>>;

/** A middleware that counts requests, and fails with a 429 beyond the limit. */
export interface RateLimiter extends RateLimitRequestHandler {
  limit: number;
}

/** The rate limits of one environment. */
export type RateLimiters = Record<RateLimitClass | 'tokenClient' | 'guess' | 'badSecret', RateLimiter>;

/** Bounds the stored responses to requests with an Idempotency-Key. */
export interface AnswerStorage {
  /** Throws 429 if there is no room for another response to the client (UUID). */
  requireRoom(clientId: string): void;
  /** Counts a stored response. */
  add(clientId: string, bytes: number): void;
  close(): void;
}

/** One environment's resources. The environments share none of them. */
export interface Context {
  environment: Environment;
  /** Mount path: `/v1` or `/sandbox/v1`. */
  basePath: string;
  /** Absolute, without a trailing slash: `https://api.example.com/v1`. */
  baseUrl: string;
  /** How to reach the database. */
  database: Route;
  db: Database;
  /** Checks that connections outside the pool also lead to the primary. */
  primary: Primary;
  listener: Listener;
  /** Knows whether the database is the right one and complete. Asks over a separate connection. */
  probe: Probe;
  auth: Auth;
  eventWatch: EventWatch;
  history: History;
  /** Reads all matching rows of a list, for a response of any size. */
  readSnapshot: ReadSnapshot;
  /** Serves reports and exports, which may lag slightly. Undefined if there is none. */
  replica: (Replica & Pick<Context, 'readSnapshot'>) | undefined;
  rateLimiters: RateLimiters;
  /** Which addresses webhooks may point to. */
  targetRules: Config['targetRules'];
  /** Maximum total size of stored inbound payloads. Bytes. */
  inboundStorage: number;
  /** Maximum total size of rows that imports keep. Bytes. */
  importStorage: number;
  /** ISO 3166-1 alpha-2: the country of national phone numbers, for imports and hooks that name none. */
  defaultCountry: string | undefined;
  answerStorage: AnswerStorage;
  /** Encrypts stored secrets. */
  secretKey: SecretKey;
  logger: Logger;
  close(): Promise<void>;
}

/** By environment. Lacks environments that this process does not run, and those whose database is not ready yet. */
export type Contexts = Readonly<Partial<Record<Environment, Context>>>;
