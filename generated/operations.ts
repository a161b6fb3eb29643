// Generated from openapi/ by `npm run generate`. Do not edit.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type RateLimitClass = 'analytics' | 'anonymous' | 'batch' | 'inbound' | 'read' | 'search' | 'token' | 'write';

export interface Deprecation {
  readonly deprecatedAt: string;
  readonly sunset: string;
  readonly successor: string | null;
}

export interface Operation {
  readonly method: Method;
  /** Path template, such as /leads/{id}. */
  readonly path: string;
  /** The environments that have the operation. The others answer 404. */
  readonly environments: readonly ('production' | 'sandbox')[];
  /** The alternatives: all scopes of one of them are needed, which may be none. Null for a public operation. */
  readonly scopes: readonly (readonly Scope[])[] | null;
  readonly rateLimit: RateLimitClass;
  /** Names of the query parameters. */
  readonly query: readonly string[];
  /** Rate limit classes by query parameter; a request with the parameter counts in that class instead. */
  readonly queryRateLimits: Readonly<Record<string, RateLimitClass>>;
  /** Accepts an Idempotency-Key. */
  readonly idempotent: boolean;
  /** Accepts If-Match, and answers 412 if the resource has changed. */
  readonly conditional: boolean;
  /** Accepts Dry-Run. */
  readonly dryRun: boolean;
  /** The handler opens its transaction itself: before, it reads a file, or waits for another connection. */
  readonly ownTransaction: boolean;
  /** The response contains a secret that is shown once, so a stored response must be encrypted. */
  readonly secretAnswer: boolean;
  /** The response may be large for any request, so only a few are built concurrently. */
  readonly largeAnswer: boolean;
  /** The server to read from. A replica may be a moment behind the primary. */
  readonly reads: 'primary' | 'replica';
  /** Accepted media types of the request body. */
  readonly consumes: readonly string[];
  /** Media types of the response, the default first. */
  readonly produces: readonly string[];
  /** Whether the request body is required. */
  readonly bodyRequired: boolean;
  /** Maximum size of the decompressed body. Bytes. */
  readonly bodyLimit: number;
  /** The handler reads the bytes of the body. It may be in any charset. */
  readonly rawBody: boolean;
  /** Maximum size of multipart/form-data with its files, if it is another. Bytes. */
  readonly multipartLimit: number | null;
  /** A list in the body whose items are checked one by one: a wrong one doesn't fail the request. */
  readonly checkedByItem: string | null;
  /** Maximum values in all objects and arrays of the body. */
  readonly bodyValues: number;
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
  "act",
  "analytics:read",
  "events:read",
  "admin"
] as const;

export type Scope = (typeof scopes)[number];

/** The media types of the operations, by their other names. */
export const mediaTypeAliases: Readonly<Record<string, string>> = {
  "application/csv": "text/csv",
  "application/x-csv": "text/csv",
  "text/x-csv": "text/csv",
  "text/comma-separated-values": "text/csv",
  "application/ndjson": "application/x-ndjson",
  "application/jsonl": "application/x-ndjson",
  "application/x-jsonl": "application/x-ndjson",
  "application/jsonlines": "application/x-ndjson",
  "application/x-jsonlines": "application/x-ndjson",
  "application/json-lines": "application/x-ndjson",
  "text/x-vcard": "text/vcard",
  "application/x-gzip": "application/gzip",
  "text/tab-separated-values": "application/octet-stream",
  "text/plain": "application/octet-stream",
  "application/vnd.ms-excel": "application/octet-stream",
  "application/zip": "application/octet-stream",
  "application/x-zip-compressed": "application/octet-stream"
};

export const operations = {
  createToken: {
    method: "post",
    path: "/auth/token",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: null,
    rateLimit: "token",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: true,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/x-www-form-urlencoded"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  revokeToken: {
    method: "post",
    path: "/auth/revoke",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: null,
    rateLimit: "token",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: true,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/x-www-form-urlencoded"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getCurrentClient: {
    method: "get",
    path: "/auth/me",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      []
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getJwks: {
    method: "get",
    path: "/auth/jwks",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: null,
    rateLimit: "anonymous",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listLeads: {
    method: "get",
    path: "/leads",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "status_not",
      "source",
      "source_detail",
      "tag",
      "tag_not",
      "metadata",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "reached",
      "reached_from",
      "reached_to",
      "status_changed_from",
      "status_changed_to",
      "currency",
      "value_from",
      "value_to",
      "expected_close_from",
      "expected_close_to",
      "expected_close_on",
      "assigned_user_id",
      "content_id",
      "contact_id",
      "email",
      "phone",
      "company",
      "external_id",
      "ids",
      "lost_reason",
      "inactive_since",
      "next_step_from",
      "next_step_to",
      "next_step_at",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createLead: {
    method: "post",
    path: "/leads",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getLead: {
    method: "get",
    path: "/leads/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateLead: {
    method: "patch",
    path: "/leads/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteLead: {
    method: "delete",
    path: "/leads/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  convertLead: {
    method: "post",
    path: "/leads/{id}/convert",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write",
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  reopenLead: {
    method: "post",
    path: "/leads/{id}/reopen",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  mergeLead: {
    method: "post",
    path: "/leads/{id}/merge",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listLeadStatusChanges: {
    method: "get",
    path: "/leads/{id}/status-changes",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "actor_id",
      "actor_user_id",
      "occurred_from",
      "occurred_to",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listLeadEvents: {
    method: "get",
    path: "/leads/{id}/events",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "event_types",
      "actor_id",
      "actor_user_id",
      "occurred_from",
      "occurred_to",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getLeadByExternalId: {
    method: "get",
    path: "/leads/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  upsertLead: {
    method: "patch",
    path: "/leads/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteLeadByExternalId: {
    method: "delete",
    path: "/leads/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  batchCreateLeads: {
    method: "post",
    path: "/leads/batch/create",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: "items",
    bodyValues: 100000,
    deprecation: null
  },
  batchUpsertLeads: {
    method: "post",
    path: "/leads/batch/upsert",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: "items",
    bodyValues: 100000,
    deprecation: null
  },
  batchUpdateLeads: {
    method: "post",
    path: "/leads/batch/update",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: "items",
    bodyValues: 100000,
    deprecation: null
  },
  batchDeleteLeads: {
    method: "post",
    path: "/leads/batch/delete",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 100000,
    deprecation: null
  },
  batchReadLeads: {
    method: "post",
    path: "/leads/batch/read",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 100000,
    deprecation: null
  },
  exportLeads: {
    method: "get",
    path: "/leads/export",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "status",
      "status_not",
      "source",
      "source_detail",
      "tag",
      "tag_not",
      "metadata",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "reached",
      "reached_from",
      "reached_to",
      "status_changed_from",
      "status_changed_to",
      "currency",
      "value_from",
      "value_to",
      "expected_close_from",
      "expected_close_to",
      "expected_close_on",
      "assigned_user_id",
      "content_id",
      "contact_id",
      "email",
      "phone",
      "company",
      "external_id",
      "ids",
      "lost_reason",
      "inactive_since",
      "next_step_from",
      "next_step_to",
      "next_step_at",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listLeadDuplicates: {
    method: "get",
    path: "/leads/duplicates",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "reason",
      "cursor",
      "per_page"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listSalesCycles: {
    method: "get",
    path: "/sales-cycles",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "lead_id",
      "status",
      "furthest_status",
      "opened_from",
      "opened_to",
      "closed_from",
      "closed_to",
      "updated_from",
      "updated_to",
      "assigned_user_id",
      "source",
      "source_detail",
      "content_id",
      "tag",
      "metadata",
      "company",
      "lost_reason",
      "currency",
      "external_id",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getSalesCycle: {
    method: "get",
    path: "/sales-cycles/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateSalesCycle: {
    method: "patch",
    path: "/sales-cycles/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteSalesCycle: {
    method: "delete",
    path: "/sales-cycles/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  exportSalesCycles: {
    method: "get",
    path: "/sales-cycles/export",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "lead_id",
      "status",
      "furthest_status",
      "opened_from",
      "opened_to",
      "closed_from",
      "closed_to",
      "updated_from",
      "updated_to",
      "assigned_user_id",
      "source",
      "source_detail",
      "content_id",
      "tag",
      "metadata",
      "company",
      "lost_reason",
      "currency",
      "external_id",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listContacts: {
    method: "get",
    path: "/contacts",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "tag",
      "tag_not",
      "metadata",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "assigned_user_id",
      "email",
      "phone",
      "company",
      "external_id",
      "ids",
      "has_open_leads",
      "next_step_from",
      "next_step_to",
      "next_step_at",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createContact: {
    method: "post",
    path: "/contacts",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getContact: {
    method: "get",
    path: "/contacts/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateContact: {
    method: "patch",
    path: "/contacts/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteContact: {
    method: "delete",
    path: "/contacts/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  mergeContact: {
    method: "post",
    path: "/contacts/{id}/merge",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listContactEvents: {
    method: "get",
    path: "/contacts/{id}/events",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "event_types",
      "actor_id",
      "actor_user_id",
      "occurred_from",
      "occurred_to",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getContactByExternalId: {
    method: "get",
    path: "/contacts/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  upsertContact: {
    method: "patch",
    path: "/contacts/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteContactByExternalId: {
    method: "delete",
    path: "/contacts/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  batchCreateContacts: {
    method: "post",
    path: "/contacts/batch/create",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: "items",
    bodyValues: 100000,
    deprecation: null
  },
  batchUpsertContacts: {
    method: "post",
    path: "/contacts/batch/upsert",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: "items",
    bodyValues: 100000,
    deprecation: null
  },
  batchUpdateContacts: {
    method: "post",
    path: "/contacts/batch/update",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: "items",
    bodyValues: 100000,
    deprecation: null
  },
  batchDeleteContacts: {
    method: "post",
    path: "/contacts/batch/delete",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:write"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 100000,
    deprecation: null
  },
  batchReadContacts: {
    method: "post",
    path: "/contacts/batch/read",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "batch",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 8388608,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 100000,
    deprecation: null
  },
  exportContacts: {
    method: "get",
    path: "/contacts/export",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "tag",
      "tag_not",
      "metadata",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "assigned_user_id",
      "email",
      "phone",
      "company",
      "external_id",
      "ids",
      "has_open_leads",
      "next_step_from",
      "next_step_to",
      "next_step_at",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listContactDuplicates: {
    method: "get",
    path: "/contacts/duplicates",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "contacts:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "reason",
      "cursor",
      "per_page"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listTags: {
    method: "get",
    path: "/tags",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "resource",
      "prefix",
      "page",
      "per_page",
      "cursor",
      "sort"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listMetadataFields: {
    method: "get",
    path: "/metadata-fields",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ],
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "resource",
      "key",
      "status",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createMetadataField: {
    method: "post",
    path: "/metadata-fields",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getMetadataField: {
    method: "get",
    path: "/metadata-fields/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ],
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateMetadataField: {
    method: "patch",
    path: "/metadata-fields/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listContent: {
    method: "get",
    path: "/content",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "type",
      "language",
      "tag",
      "tag_not",
      "metadata",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "published_from",
      "published_to",
      "author_user_id",
      "slug",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createContent: {
    method: "post",
    path: "/content",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getContent: {
    method: "get",
    path: "/content/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateContent: {
    method: "patch",
    path: "/content/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteContent: {
    method: "delete",
    path: "/content/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  publishContent: {
    method: "post",
    path: "/content/{id}/publish",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  unpublishContent: {
    method: "post",
    path: "/content/{id}/unpublish",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  archiveContent: {
    method: "post",
    path: "/content/{id}/archive",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listContentEvents: {
    method: "get",
    path: "/content/{id}/events",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "event_types",
      "actor_id",
      "actor_user_id",
      "occurred_from",
      "occurred_to",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listNotes: {
    method: "get",
    path: "/notes",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "lead_id",
      "contact_id",
      "author_id",
      "author_user_id",
      "pinned",
      "kind",
      "direction",
      "occurred_from",
      "occurred_to",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "expand",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createNote: {
    method: "post",
    path: "/notes",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getNote: {
    method: "get",
    path: "/notes/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "expand"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateNote: {
    method: "patch",
    path: "/notes/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteNote: {
    method: "delete",
    path: "/notes/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listUsers: {
    method: "get",
    path: "/users",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "active",
      "email",
      "external_id",
      "metadata",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createUser: {
    method: "post",
    path: "/users",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getUser: {
    method: "get",
    path: "/users/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateUser: {
    method: "patch",
    path: "/users/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteUser: {
    method: "delete",
    path: "/users/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  reassignUser: {
    method: "post",
    path: "/users/{id}/reassign",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write",
        "contacts:write",
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getUserByExternalId: {
    method: "get",
    path: "/users/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  upsertUser: {
    method: "patch",
    path: "/users/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteUserByExternalId: {
    method: "delete",
    path: "/users/external/{external_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "users:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listEvents: {
    method: "get",
    path: "/events",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "events:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "cursor",
      "event_types",
      "resource_id",
      "actor_id",
      "actor_user_id",
      "exclude_own",
      "occurred_from",
      "occurred_to",
      "per_page",
      "wait",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getEvent: {
    method: "get",
    path: "/events/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "events:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listEventTypes: {
    method: "get",
    path: "/event-types",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "events:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listWebhooks: {
    method: "get",
    path: "/webhooks",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createWebhook: {
    method: "post",
    path: "/webhooks",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getWebhook: {
    method: "get",
    path: "/webhooks/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateWebhook: {
    method: "patch",
    path: "/webhooks/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteWebhook: {
    method: "delete",
    path: "/webhooks/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  rotateWebhookSecret: {
    method: "post",
    path: "/webhooks/{id}/rotate-secret",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  testWebhook: {
    method: "post",
    path: "/webhooks/{id}/test",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listWebhookReplays: {
    method: "get",
    path: "/webhooks/{id}/replays",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "created_from",
      "created_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createWebhookReplay: {
    method: "post",
    path: "/webhooks/{id}/replays",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getWebhookReplay: {
    method: "get",
    path: "/webhooks/{id}/replays/{replay_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  cancelWebhookReplay: {
    method: "post",
    path: "/webhooks/{id}/replays/{replay_id}/cancel",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listWebhookDeliveries: {
    method: "get",
    path: "/webhooks/{id}/deliveries",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "event_types",
      "event_id",
      "resource_id",
      "replay_id",
      "created_from",
      "created_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getWebhookDelivery: {
    method: "get",
    path: "/webhooks/{id}/deliveries/{delivery_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  redeliverWebhookDelivery: {
    method: "post",
    path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listInboundHooks: {
    method: "get",
    path: "/inbound-hooks",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "search",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createInboundHook: {
    method: "post",
    path: "/inbound-hooks",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getInboundHook: {
    method: "get",
    path: "/inbound-hooks/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateInboundHook: {
    method: "patch",
    path: "/inbound-hooks/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  deleteInboundHook: {
    method: "delete",
    path: "/inbound-hooks/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  rotateInboundHookUrl: {
    method: "post",
    path: "/inbound-hooks/{id}/rotate-url",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  previewInboundHook: {
    method: "post",
    path: "/inbound-hooks/{id}/preview",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 1048576,
    rawBody: true,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listInboundDeliveries: {
    method: "get",
    path: "/inbound-hooks/{id}/deliveries",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "has_warnings",
      "created_from",
      "created_to",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getInboundDelivery: {
    method: "get",
    path: "/inbound-hooks/{id}/deliveries/{delivery_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  reprocessInboundDelivery: {
    method: "post",
    path: "/inbound-hooks/{id}/deliveries/{delivery_id}/reprocess",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "webhooks:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  answerHookChallenge: {
    method: "get",
    path: "/hooks/{token}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: null,
    rateLimit: "inbound",
    query: [
      "hub.mode",
      "hub.challenge",
      "hub.verify_token",
      "challengeCode",
      "applicationId"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json",
      "text/plain"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  receiveInboundDelivery: {
    method: "post",
    path: "/hooks/{token}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: null,
    rateLimit: "inbound",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data"
    ],
    produces: [
      "application/json",
      "text/html"
    ],
    bodyRequired: true,
    bodyLimit: 1048576,
    rawBody: true,
    multipartLimit: 8388608,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsSummary: {
    method: "get",
    path: "/analytics/summary",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "from",
      "to",
      "timezone",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsFunnel: {
    method: "get",
    path: "/analytics/funnel",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "from",
      "to",
      "timezone",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsTimeseries: {
    method: "get",
    path: "/analytics/timeseries",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "from",
      "to",
      "timezone",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag",
      "interval",
      "group_by"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsTimeInStatus: {
    method: "get",
    path: "/analytics/time-in-status",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "from",
      "to",
      "timezone",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsPipeline: {
    method: "get",
    path: "/analytics/pipeline",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "timezone",
      "search",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsForecast: {
    method: "get",
    path: "/analytics/forecast",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "months",
      "timezone",
      "search",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag"
    ],
    queryRateLimits: {
      search: "search"
    },
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsBreakdown: {
    method: "get",
    path: "/analytics/breakdown",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "group_by",
      "from",
      "to",
      "timezone",
      "source",
      "source_detail",
      "assigned_user_id",
      "content_id",
      "tag"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getAnalyticsActivity: {
    method: "get",
    path: "/analytics/activity",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "analytics:read"
      ]
    ],
    rateLimit: "analytics",
    query: [
      "from",
      "to",
      "timezone",
      "kind",
      "author_user_id"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: true,
    reads: "replica",
    consumes: [],
    produces: [
      "application/json",
      "text/csv"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listImports: {
    method: "get",
    path: "/imports",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "users:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "resource",
      "created_from",
      "created_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createImport: {
    method: "post",
    path: "/imports",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ],
      [
        "users:write"
      ],
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [
      "resource",
      "match",
      "on_duplicate",
      "dry_run",
      "create_users",
      "start",
      "accept_doubts",
      "charset",
      "sheet"
    ],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: false,
    ownTransaction: true,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "text/csv",
      "application/x-ndjson",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "text/vcard",
      "application/gzip",
      "application/octet-stream"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 209715200,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getImport: {
    method: "get",
    path: "/imports/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "users:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateImport: {
    method: "patch",
    path: "/imports/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ],
      [
        "users:write"
      ],
      [
        "content:write"
      ]
    ],
    rateLimit: "analytics",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  startImport: {
    method: "post",
    path: "/imports/{id}/start",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ],
      [
        "users:write"
      ],
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  cancelImport: {
    method: "post",
    path: "/imports/{id}/cancel",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:write"
      ],
      [
        "contacts:write"
      ],
      [
        "users:write"
      ],
      [
        "content:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listImportErrors: {
    method: "get",
    path: "/imports/{id}/errors",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "users:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "severity",
      "sort"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json",
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listImportRows: {
    method: "get",
    path: "/imports/{id}/rows",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "users:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "outcome",
      "sort"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json",
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  exportRejectedRows: {
    method: "get",
    path: "/imports/{id}/rejected-rows",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "users:read"
      ],
      [
        "content:read"
      ]
    ],
    rateLimit: "analytics",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listBulkJobs: {
    method: "get",
    path: "/bulk-jobs",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "content:read"
      ],
      [
        "users:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "kind",
      "resource",
      "created_from",
      "created_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createBulkJob: {
    method: "post",
    path: "/bulk-jobs",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read",
        "leads:write"
      ],
      [
        "contacts:read",
        "contacts:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getBulkJob: {
    method: "get",
    path: "/bulk-jobs/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "content:read"
      ],
      [
        "users:read"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  cancelBulkJob: {
    method: "post",
    path: "/bulk-jobs/{id}/cancel",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read",
        "leads:write"
      ],
      [
        "contacts:read",
        "contacts:write"
      ],
      [
        "content:read",
        "content:write"
      ],
      [
        "users:read",
        "users:write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listBulkJobErrors: {
    method: "get",
    path: "/bulk-jobs/{id}/errors",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "leads:read"
      ],
      [
        "contacts:read"
      ],
      [
        "content:read"
      ],
      [
        "users:read"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "sort"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json",
      "text/csv",
      "application/x-ndjson"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listClients: {
    method: "get",
    path: "/clients",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "status",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createClient: {
    method: "post",
    path: "/clients",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getClient: {
    method: "get",
    path: "/clients/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  updateClient: {
    method: "patch",
    path: "/clients/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json",
      "application/merge-patch+json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  rotateClientSecret: {
    method: "post",
    path: "/clients/{id}/rotate-secret",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  disableClient: {
    method: "post",
    path: "/clients/{id}/disable",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  enableClient: {
    method: "post",
    path: "/clients/{id}/enable",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listApiKeys: {
    method: "get",
    path: "/clients/{id}/keys",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "created_from",
      "created_to",
      "updated_from",
      "updated_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createApiKey: {
    method: "post",
    path: "/clients/{id}/keys",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: true,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getApiKey: {
    method: "get",
    path: "/clients/{id}/keys/{key_id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  revokeApiKey: {
    method: "post",
    path: "/clients/{id}/keys/{key_id}/revoke",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: true,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listAuditLog: {
    method: "get",
    path: "/audit-log",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "action",
      "client_id",
      "actor_id",
      "actor_user_id",
      "created_from",
      "created_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  lookUpPerson: {
    method: "post",
    path: "/people/lookup",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  listErasures: {
    method: "get",
    path: "/erasures",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [
      "page",
      "per_page",
      "cursor",
      "actor_id",
      "actor_user_id",
      "created_from",
      "created_to",
      "sort",
      "fields"
    ],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  createErasure: {
    method: "post",
    path: "/erasures",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: true,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  getErasure: {
    method: "get",
    path: "/erasures/{id}",
    environments: [
      "production",
      "sandbox"
    ],
    scopes: [
      [
        "admin"
      ]
    ],
    rateLimit: "read",
    query: [],
    queryRateLimits: {},
    idempotent: false,
    conditional: false,
    dryRun: false,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  resetSandbox: {
    method: "post",
    path: "/sandbox/reset",
    environments: [
      "sandbox"
    ],
    scopes: [
      [
        "write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  },
  seedSandbox: {
    method: "post",
    path: "/sandbox/seed",
    environments: [
      "sandbox"
    ],
    scopes: [
      [
        "write"
      ]
    ],
    rateLimit: "write",
    query: [],
    queryRateLimits: {},
    idempotent: true,
    conditional: false,
    dryRun: true,
    ownTransaction: false,
    secretAnswer: false,
    largeAnswer: false,
    reads: "primary",
    consumes: [
      "application/json"
    ],
    produces: [
      "application/json"
    ],
    bodyRequired: false,
    bodyLimit: 262144,
    rawBody: false,
    multipartLimit: null,
    checkedByItem: null,
    bodyValues: 10000,
    deprecation: null
  }
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
