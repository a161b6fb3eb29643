import type { IncomingHttpHeaders } from 'node:http';
import type { operations as ApiOperations, components } from '../../generated/api.ts';
import type { OperationId } from '../../generated/operations.ts';
import type { Auth } from '../auth/auth.ts';
import type { Principal } from '../auth/principal.ts';
import type { Db } from '../db/knex.ts';
import type { Environment } from '../environment.ts';
import type { Counter } from './rate-limit.ts';

/** A schema of the contract by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Present<T> = Exclude<T, undefined>;
type Parameters<
  Id extends OperationId,
  In extends 'path' | 'query' | 'header',
> = ApiOperations[Id]['parameters'] extends { [K in In]?: infer P } ? Present<P> : Record<never, never>;
type JsonOf<T> = T extends { content: infer Content } ? Content[keyof Content] : undefined;
type Body<Id extends OperationId> = ApiOperations[Id] extends { requestBody?: infer B }
  ? JsonOf<Present<B>>
  : undefined;

/** Node gives header names in lower case. */
type LowercaseKeys<T> = { [Name in keyof T as Name extends string ? Lowercase<Name> : Name]: T[Name] };

/** What the contract lets through to an operation's handler: checked, coerced, defaults filled in. */
export interface Input<Id extends OperationId> {
  path: Parameters<Id, 'path'>;
  query: Parameters<Id, 'query'>;
  headers: LowercaseKeys<Parameters<Id, 'header'>>;
  body: Body<Id>;
}

type SuccessStatus = 200 | 201 | 202 | 204 | 304;
type Responses<Id extends OperationId> = ApiOperations[Id]['responses'];

/** One member for each documented success status, so that status and body stay tied. */
export type Result<Id extends OperationId> = {
  [Status in keyof Responses<Id> & SuccessStatus]: {
    status: Status;
    headers?: Record<string, string>;
    body: JsonOf<Responses<Id>[Status]>;
  };
}[keyof Responses<Id> & SuccessStatus];

/** Who changes something: an API client, an inbound hook, or the service itself. `id` is a uuid. */
export interface Actor {
  type: 'client' | 'hook' | 'system';
  id: string | null;
}

/** Sends deliveries (uuids) to the workers, when the transaction commits or at a later time. */
export type EnqueueDeliveries = (
  db: Db,
  deliveries: readonly { id: string; webhook_id: string; startAfter?: Date }[],
) => Promise<void>;

/** What a handler may use. `db` is the transaction of the request where the operation writes. */
export interface OperationContext {
  db: Db;
  environment: Environment;
  /** Absolute, without a trailing slash: `https://api.example.com/v1`. */
  baseUrl: string;
  auth: Auth;
  enqueueDeliveries: EnqueueDeliveries;
  /** Where webhooks may point to. */
  targetRules: { readonly allowPrivate: boolean };
  /** What inbound hooks may keep of what was sent to them (bytes). */
  inboundStorage: number;
  /** Counts a token that is about to be granted to a client (uuid). Rejects with a 429. */
  countGrant: Counter;
  principal: Principal;
  actor: Actor;
  requestId: string;
  /** Seals the secrets that are stored. */
  secretKey: Buffer;
  /** All headers, and the body as it came: for credentials in a header and for signatures. */
  headers: IncomingHttpHeaders;
  rawBody: Buffer | undefined;
  /** The body as the other operation would take it, defaults filled in. Throws the 422 that a request with it would get. */
  checkBody<Id extends OperationId>(id: Id, body: unknown): Input<Id>['body'];
}

export type Handlers = {
  [Id in OperationId]: (input: Input<Id>, context: OperationContext) => Promise<Result<Id>>;
};
