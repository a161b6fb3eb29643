// Generated from openapi/v1.yaml by `npm run generate`. Do not edit.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type RateLimitClass = 'anonymous' | 'read' | 'search' | 'token' | 'write';

export interface Deprecation {
  readonly deprecatedAt: string;
  readonly sunset: string;
  readonly successor: string | null;
}

export interface Operation {
  readonly method: Method;
  /** As in the document, for instance /leads/{id}. */
  readonly path: string;
  /** Null for a public operation, empty for one that needs a credential but no scope. */
  readonly scopes: readonly Scope[] | null;
  readonly rateLimit: RateLimitClass;
  /** A request that has this query parameter counts in this class instead. */
  readonly queryRateLimits: Readonly<Record<string, RateLimitClass>>;
  /** Takes an Idempotency-Key. */
  readonly idempotent: boolean;
  /** The media types of the request body. */
  readonly consumes: readonly string[];
  readonly deprecation: Deprecation | null;
}

export const scopes = [
  "read",
  "write",
  "leads:read",
  "leads:write",
  "contacts:read",
  "contacts:write",
  "content:read",
  "content:write",
  "users:read",
  "users:write",
  "webhooks:read",
  "webhooks:write",
  "analytics:read",
  "events:read"
] as const;

export type Scope = (typeof scopes)[number];

export const operations = {
  createToken: {
    method: "post",
    path: "/auth/token",
    scopes: null,
    rateLimit: "token",
    queryRateLimits: {},
    idempotent: false,
    consumes: [
      "application/json",
      "application/x-www-form-urlencoded"
    ],
    deprecation: null
  },
  revokeToken: {
    method: "post",
    path: "/auth/revoke",
    scopes: null,
    rateLimit: "token",
    queryRateLimits: {},
    idempotent: false,
    consumes: [
      "application/json",
      "application/x-www-form-urlencoded"
    ],
    deprecation: null
  },
  getCurrentClient: {
    method: "get",
    path: "/auth/me",
    scopes: [],
    rateLimit: "read",
    queryRateLimits: {},
    idempotent: false,
    consumes: [],
    deprecation: null
  },
  getJwks: {
    method: "get",
    path: "/auth/jwks",
    scopes: null,
    rateLimit: "anonymous",
    queryRateLimits: {},
    idempotent: false,
    consumes: [],
    deprecation: null
  },
  listLeads: {
    method: "get",
    path: "/leads",
    scopes: [
      "leads:read"
    ],
    rateLimit: "read",
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    consumes: [],
    deprecation: null
  },
  createLead: {
    method: "post",
    path: "/leads",
    scopes: [
      "leads:write"
    ],
    rateLimit: "write",
    queryRateLimits: {},
    idempotent: true,
    consumes: [
      "application/json"
    ],
    deprecation: null
  },
  getLead: {
    method: "get",
    path: "/leads/{id}",
    scopes: [
      "leads:read"
    ],
    rateLimit: "read",
    queryRateLimits: {},
    idempotent: false,
    consumes: [],
    deprecation: null
  },
  updateLead: {
    method: "patch",
    path: "/leads/{id}",
    scopes: [
      "leads:write"
    ],
    rateLimit: "write",
    queryRateLimits: {},
    idempotent: true,
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    deprecation: null
  },
  deleteLead: {
    method: "delete",
    path: "/leads/{id}",
    scopes: [
      "leads:write"
    ],
    rateLimit: "write",
    queryRateLimits: {},
    idempotent: false,
    consumes: [],
    deprecation: null
  }
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
