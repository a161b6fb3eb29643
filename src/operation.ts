import type { IncomingHttpHeaders } from 'node:http';
import type { operations as ApiOperations, components } from '../generated/api.ts';
import type { OperationId } from '../generated/operations.ts';
import type { Actor } from './actor.ts';
import type { AttemptLimiter, Context } from './context.ts';
import type { Db } from './db/db.ts';
import type { ClientLimits, Principal } from './principal.ts';

/** A schema of the contract by name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Present<T> = Exclude<T, undefined>;
type ParametersOf<
  Id extends OperationId,
  In extends 'path' | 'query' | 'header',
> = ApiOperations[Id]['parameters'] extends { [K in In]?: infer P } ? Present<P> : Record<never, never>;
type JsonOf<T> = T extends { content: infer Content } ? Content[keyof Content] : undefined;
type Body<Id extends OperationId> = ApiOperations[Id] extends { requestBody?: infer B }
  ? Present<B> extends { content: { 'application/x-ndjson': unknown } }
    ? AsyncIterable<Buffer>
    : JsonOf<Present<B>>
  : undefined;

/** Node lowercases header names. */
type LowercaseKeys<T> = { [Name in keyof T as Name extends string ? Lowercase<Name> : Name]: T[Name] };

/** A response before it is validated and sent. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  /** The columns of rows in CSV, if they are not the fields of the contract. */
  columns?: readonly string[];
  /** Set for plain-text responses; otherwise the body is sent as JSON. */
  mediaType?: TextType;
}

type TextType = 'text/plain' | 'text/html' | 'text/csv';

/** A handler's input: validated, coerced, with defaults. A body of rows is streamed. */
export interface Input<Id extends OperationId> {
  path: ParametersOf<Id, 'path'>;
  query: ParametersOf<Id, 'query'>;
  headers: LowercaseKeys<ParametersOf<Id, 'header'>>;
  body: Body<Id>;
}

/** Rows in batches, as they are read. The signal aborts when no more are wanted. */
export type RowStream<Row> = (signal: AbortSignal) => AsyncIterable<Row[]>;

/** A response documented as NDJSON is sent row by row. It may be documented as JSON too. */
type AnswerBody<Response> = Response extends { content: { 'application/x-ndjson': infer Row } }
  ? RowStream<Row> | (Response extends { content: { 'application/json': infer Body } } ? Body : never)
  : JsonOf<Response>;

type SuccessStatus = 200 | 201 | 202 | 204 | 303 | 304;
type Responses<Id extends OperationId> = ApiOperations[Id]['responses'];

/** A union with one member per documented success status, so that the status determines the type of the body. */
export type Result<Id extends OperationId> = {
  [Status in keyof Responses<Id> & SuccessStatus]: {
    status: Status;
    headers?: Record<string, string>;
    body: AnswerBody<Responses<Id>[Status]>;
    mediaType?: TextType;
    columns?: readonly string[];
  };
}[keyof Responses<Id> & SuccessStatus];

/**
 * Returned instead of a result, by a request that has to wait. `resume` is called once `until` has resolved. Meanwhile, the
 * request holds neither a database connection nor a share of memory, and its deadline is suspended.
 */
export interface Suspension<R> {
  until: Promise<unknown>;
  /** Called when the client has disconnected. Resolves `until` immediately. */
  cancel(): void;
  resume(): Promise<R>;
}

/** What a handler knows of its request, besides the input. */
export interface RequestContext {
  /** Absolute URL of the request, without its query. */
  url: string;
  /** Counts a token about to be issued to a client (uuid) against its rate limit. Rejects with a 429. */
  countGrant(clientId: string): Promise<void>;
  /** Limits failed authentications of a client by its secret, at the IP address of the request. */
  limitBadSecrets(clientId: string): AttemptLimiter;
  /** How many requests in 60 seconds the client may send. */
  limits(): Required<ClientLimits>;
  principal: Principal;
  actor: Actor;
  requestId: string;
  /** IP address that the request came from. */
  address(): string | null;
  /** All headers and the raw body: for credentials in headers and for signatures. */
  headers: IncomingHttpHeaders;
  rawBody: Buffer | undefined;
  /** Content-Type with its parameters, which `headers` lack. */
  contentType: string | undefined;
  /** The negotiated media type of the response. */
  mediaType: string;
}

/** What handlers use of their environment. */
export interface Services
  extends Pick<
    Context,
    | 'environment'
    | 'baseUrl'
    | 'auth'
    | 'eventWatch'
    | 'history'
    | 'targetRules'
    | 'inboundStorage'
    | 'importStorage'
    | 'defaultCountry'
    | 'secretKey'
    | 'logger'
  > {
  /** Validates a body for another operation and fills in defaults. Throws the 422 that such a request would get. */
  checkBody<Id extends OperationId>(id: Id, body: unknown): Input<Id>['body'];
  /** The same for one item of a list whose items are validated one by one (`x-checked-by-item`). */
  checkItem<Item>(id: OperationId, item: Item): Item;
}

/** How a handler reads and writes. */
export interface DatabaseContext extends Pick<Context, 'readSnapshot'> {
  /** The request's transaction if the operation writes, unless it opens it itself. */
  db: Db;
  /**
   * Opens the transaction of an operation with `x-own-transaction`. `body` is what an Idempotency-Key is compared with.
   */
  write<Written extends Answer>(body: unknown, work: (trx: Db) => Promise<Written>): Promise<Written>;
}

export interface OperationContext extends RequestContext, DatabaseContext, Services {}

/** Only an operation with the parameter `wait` may suspend its request. */
export type Handlers = {
  [Id in OperationId]: (
    input: Input<Id>,
    context: OperationContext,
  ) => Promise<Result<Id> | ('wait' extends keyof Input<Id>['query'] ? Suspension<Result<Id>> : never)>;
};
