/** Codes of errors from overload: the same request may succeed later. */
export const tooMuchCodes = {
  rate_limited: {
    status: 429,
    cause: 'You sent more requests in a minute than the limit of this class allows.',
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
  client_locked: {
    status: 429,
    cause: 'Ten wrong secrets for this `client_id` came from your IP address within 5 minutes.',
    remedy:
      'Correct the secret, then wait for the seconds in `Retry-After`. Until then, the right one is refused too.',
  },
  inbound_storage_full: {
    status: 429,
    cause: 'The service would have to keep this rejected payload, but its storage is full.',
    remedy: 'Send it again after `Retry-After`. Correct the mapping of the hook, or delete the hook.',
  },
  import_storage_full: {
    status: 429,
    cause:
      'Drafts, dry runs and queued imports take all the room that you, or all clients together, may use.',
    remedy: 'Start or cancel those that you no longer need, or send the file again later.',
  },
  bulk_job_limit_reached: {
    status: 429,
    cause: 'You have 100 bulk jobs that have not ended, or they have 10,000,000 rows.',
    remedy: 'Wait for them, or cancel those that you no longer need.',
  },
  idempotency_storage_full: {
    status: 429,
    cause:
      'The stored answers to requests with an `Idempotency-Key` take all the room that you, or all clients together, may use.',
    remedy:
      'Send the request without the header, or send it later: each answer is kept for 24 hours. Repeats of earlier requests still get their answers.',
  },
} as const;

/** Codes of failures in the service. */
export const faultCodes = {
  internal_error: {
    status: 500,
    cause: 'Something went wrong in the service. The details are in its log only.',
    remedy: 'Report the `request_id`. Repeat a write with the same `Idempotency-Key`.',
  },
  unavailable: {
    status: 503,
    cause:
      'The database is out of reach or busy, other requests are changing the same data, or too much runs concurrently. `message` says which.',
    remedy: 'Send the request again after `Retry-After`; a write with the same `Idempotency-Key`.',
  },
  outcome_unknown: {
    status: 503,
    cause:
      'The connection to the database was lost while your change was being saved, so it may have been saved.',
    remedy:
      'Send the request again with the same `Idempotency-Key`: you get its answer. Without a key, first check whether it was saved.',
  },
  query_timeout: {
    status: 503,
    cause: 'A read kept the database busy for longer than 15 seconds.',
    remedy: 'Ask for less: a shorter window, fewer filters or a smaller page.',
  },
} as const;
