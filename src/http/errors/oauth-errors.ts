import type { Problem } from '../../problem.ts';

/**
 * The fields that RFC 6749 section 5.2 requires in addition to our own, so that standard OAuth libraries understand the
 * error. It also requires 400 where the API responds 422; only OAuth libraries send forms, so forms get 400.
 */
export function oauthError(problem: Problem, isForm: boolean) {
  return {
    status: isForm && problem.status === 422 ? 400 : problem.status,
    body: { error: errorCode(problem), error_description: describe(problem) },
  };
}

function errorCode({ code, status, details }: Problem): string {
  if (code === 'invalid_client' || code === 'insufficient_scope' || code === 'invalid_scope') return code;
  if (status === 401) return 'invalid_token';
  if (status === 503 || status === 429) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  const grant = details.errors?.grant_type?.[0];
  return grant !== undefined && grant !== 'is required' ? 'unsupported_grant_type' : 'invalid_request';
}

/** RFC 6749 allows printable ASCII only, without quotation mark and backslash. */
function describe(problem: Problem): string {
  return problem.message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
