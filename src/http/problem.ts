/** All error codes and their statuses. Codes are stable: clients branch on them. */
const statuses = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  token_revoked: 401,
  invalid_client: 401,
  signature_invalid: 401,
  insufficient_scope: 403,
  https_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  events_expired: 410,
  version_mismatch: 412,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_scope: 422,
  duplicate_email: 422,
  duplicate_external_id: 422,
  duplicate_slug: 422,
  user_in_use: 422,
  content_in_use: 422,
  lead_lost: 422,
  already_converted: 422,
  already_seeded: 422,
  webhook_limit_reached: 422,
  webhook_not_enabled: 422,
  replay_running: 422,
  payload_erased: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  inbound_storage_full: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
  query_timeout: 503,
} as const;

export type ProblemCode = keyof typeof statuses;

/** Field name → human-readable messages. */
export type FieldErrors = Record<string, string[]>;

/** Maximum fields reported. Otherwise a body with ten thousand faults would get a response of one megabyte. */
export const MAX_FIELD_ERRORS = 50;

interface Details {
  errors?: FieldErrors;
  existing_id?: string;
  required_scope?: string;
}

/**
 * An error for the client. Handlers return success and throw a Problem on failure. `headers` are added to the response,
 * `details` to its body; `cause` goes to the log only.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: Details;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    message: string,
    extra: { details?: Details; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.status = statuses[code];
    this.details = extra.details ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** A 422 about one field of the body. */
export function invalidField(
  field: string,
  message: string,
  code: ProblemCode = 'validation_failed',
): Problem {
  return new Problem(code, `${field}: ${message}`, { details: { errors: { [field]: [message] } } });
}

/** A 400 about one query parameter or header. */
export function invalidParameter(name: string, message: string): Problem {
  return invalidField(name, message, 'invalid_parameter');
}

/** A 400 about a cursor that this service did not issue for the list. */
export function invalidCursor(name: string, message: string): Problem {
  return invalidField(name, message, 'invalid_cursor');
}

export function notFound(what: string): Problem {
  return new Problem('not_found', `${what} does not exist.`);
}
