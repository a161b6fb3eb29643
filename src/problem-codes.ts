import type { components } from '../generated/api.ts';
import { faultCodes, tooMuchCodes } from './busy-codes.ts';
import { stateCodes } from './state-codes.ts';

interface Code {
  readonly status: number;
  /** What went wrong. */
  readonly cause: string;
  /** What the client can do about it. */
  readonly remedy: string;
}

/** All error codes, which the contract lists too. Codes are stable: clients branch on them. docs/errors.md shows this table. */
export const problemCodes = {
  invalid_json: {
    status: 400,
    cause:
      'The body is not a JSON object in UTF-8, is incomplete, or has more than 10 levels (inbound hook 100) or 10,000 values (100,000 in a batch).',
    remedy: 'Send one complete JSON object.',
  },
  invalid_request: {
    status: 400,
    cause: 'This is not a valid HTTP/1.1 request, for instance because its URL is malformed.',
    remedy: 'Build the request with an HTTP library.',
  },
  invalid_parameter: {
    status: 400,
    cause: 'A query parameter or header is unknown, invalid or repeated. `errors` names it.',
    remedy: 'Correct the parameter or header that `errors` names.',
  },
  invalid_cursor: {
    status: 400,
    cause: 'The cursor was not issued for this list with these filters, this sort and this environment.',
    remedy: 'Send `next_cursor` unchanged, with the same filters and sort; or start again without a cursor.',
  },
  token_missing: {
    status: 401,
    cause: 'The request has neither a token nor an API key.',
    remedy: 'Send `Authorization: Bearer <token>` or `X-API-Key: <key>`.',
  },
  token_invalid: {
    status: 401,
    cause: 'The token or API key is malformed, unknown, or belongs to the other environment.',
    remedy: 'Get a token from `POST /auth/token` of the environment that you call.',
  },
  token_expired: {
    status: 401,
    cause: 'The token is older than an hour, or the API key has passed its expiry.',
    remedy: 'Get a new token; ask your operator for a new API key.',
  },
  token_revoked: {
    status: 401,
    cause: 'The token or API key was revoked, or its API client is disabled.',
    remedy: 'Get a new token. If that is refused too, ask your operator.',
  },
  invalid_client: {
    status: 401,
    cause: 'The `client_id` is unknown here, the secret is wrong, or the client is disabled.',
    remedy: 'Check both values, and that they belong to this environment.',
  },
  signature_invalid: {
    status: 401,
    cause: 'The signature or shared secret of a request to an inbound hook is missing or wrong.',
    remedy: 'Sign the exact bytes of the body, as the `verification` of the hook describes.',
  },
  insufficient_scope: {
    status: 403,
    cause: 'The token or API key lacks the scope in `required_scope`.',
    remedy: 'Get a token with that scope, or ask your operator to grant it to the client.',
  },
  origin_not_allowed: {
    status: 403,
    cause:
      'A page sent data to an inbound hook whose `allowed_origins` do not include the origin of the page.',
    remedy: 'Add the origin, such as `https://www.example.com`, to the hook.',
  },
  https_required: {
    status: 403,
    cause: 'The request reached the proxy over plain HTTP.',
    remedy: 'Use `https://`. Replace the credentials that you sent in the clear.',
  },
  not_found: {
    status: 404,
    cause: 'Nothing exists at this path or with this id, or only in the other environment.',
    remedy: 'Check the path, the id and the environment.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path does not support this method.',
    remedy: 'Use a method that the `Allow` header lists.',
  },
  not_acceptable: {
    status: 406,
    cause: 'The `Accept` header excludes `application/json`; for an export, CSV and NDJSON.',
    remedy: 'Send `Accept` with one of these, or leave the header out.',
  },
  request_timeout: {
    status: 408,
    cause: 'The request did not arrive completely within 30 seconds.',
    remedy: 'Send it again.',
  },
  last_admin: {
    status: 409,
    cause: 'The client is the last enabled one with the scope `admin`.',
    remedy: 'Create or enable another client with the scope `admin` first.',
  },
  events_expired: {
    status: 410,
    cause: 'Events that follow this cursor are no longer kept.',
    remedy: 'Ask for `after=latest`, read the lists again, and continue from that cursor.',
  },
  log_restored: {
    status: 410,
    cause: 'The service was restored from a backup that is older than this cursor.',
    remedy: 'Ask for `after=latest`, read the lists again, and continue from that cursor.',
  },
  merged: {
    status: 410,
    cause: 'The lead or contact was merged into another one, which `merged_into` names.',
    remedy: 'Use the one that `merged_into` names, and store its id instead.',
  },
  version_mismatch: {
    status: 412,
    cause: 'Somebody changed the resource after you read it: `If-Match` names an older version.',
    remedy: 'Read the resource again, then repeat your change with its new `ETag`.',
  },
  body_too_large: {
    status: 413,
    cause:
      'The body is larger than 256 KiB (inbound hook 1 MiB, or 8 MiB with files, batch 8 MiB, import 200 MiB).',
    remedy: 'Send less.',
  },
  uri_too_long: {
    status: 414,
    cause: 'The URL is longer than 8 KiB.',
    remedy: 'Send fewer or shorter filters.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The `Content-Type` or `Content-Encoding` of the body is not supported here.',
    remedy: 'Send `Content-Type: application/json`, in UTF-8.',
  },
  validation_failed: {
    status: 422,
    cause: 'A field of the body is missing, invalid, unknown or read-only. `errors` names each one.',
    remedy: 'Correct the fields that `errors` names.',
  },
  invalid_scope: {
    status: 422,
    cause: 'The scope does not exist, or is not granted to the client. For a form the status is 400.',
    remedy: 'Ask for scopes that the client has, or leave `scope` out to get all of them.',
  },
  duplicate_email: {
    status: 422,
    cause: 'Another resource of this kind has this email, in upper or lower case.',
    remedy: 'Update that resource: `existing_id` names it if you may read it.',
  },
  duplicate_external_id: {
    status: 422,
    cause: 'Another resource of this kind has this `external_id`.',
    remedy: 'Update that resource: `existing_id` names it if you may read it.',
  },
  duplicate_slug: {
    status: 422,
    cause: 'Another piece of content has this `slug`.',
    remedy: 'Choose another slug, or leave it out and let the service make one.',
  },
  ...stateCodes,
  idempotency_key_reused: {
    status: 422,
    cause: 'You used this `Idempotency-Key` for a different request within the last 24 hours.',
    remedy: 'Use a new key for each new request.',
  },
  ...tooMuchCodes,
  headers_too_large: {
    status: 431,
    cause: 'The headers are too large.',
    remedy: 'Send fewer or shorter headers, such as cookies.',
  },
  ...faultCodes,
} as const satisfies Record<components['schemas']['ErrorCode'], Code>;
