import { type FieldErrors, invalidField, invalidFields } from '../problem.ts';
import { mergeMap } from '../values/merge-patch.ts';
import { decrypt, encrypt, type SecretKey } from '../values/secrets.ts';
import type { WebhookRow } from './tables.ts';

const MAX_HEADERS = 10;
/** A token of RFC 9110. */
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
/** Headers that the service sends, and headers of a connection. */
const RESERVED =
  /^(?:host|user-agent|traceparent|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|(?:content|webhook|proxy)-.*)$/;

type Stored = Pick<WebhookRow, 'header_names' | 'encrypted_headers'>;
type Headers = Record<string, string>;

const none: Stored = { header_names: [], encrypted_headers: null };

/** The columns after a merge patch of `headers`. Throws 422. */
export function headerColumns(
  patch: Record<string, string | null> | null | undefined,
  secretKey: SecretKey,
  stored = none,
): Partial<Stored> {
  if (patch === undefined) return {};
  const before = headersOf(stored, secretKey);
  const headers = mergeMap(before, patch && inLowerCase(patch));
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) throw invalidField('headers', `must be at most ${MAX_HEADERS}`);
  // The same values would be other bytes, and so another version.
  if (JSON.stringify(headers) === JSON.stringify(before)) return {};
  return {
    header_names: names,
    encrypted_headers: names.length === 0 ? null : encrypt(secretKey, JSON.stringify(headers)),
  };
}

/** The headers with their values. */
export function headersOf(
  { encrypted_headers: encrypted }: Pick<Stored, 'encrypted_headers'>,
  secretKey: SecretKey,
): Headers {
  return encrypted === null ? {} : JSON.parse(decrypt(secretKey, encrypted));
}

function inLowerCase(patch: Record<string, string | null>): Record<string, string | null> {
  const found = new Map<string, string | null>();
  const errors: FieldErrors = {};
  for (const [given, value] of Object.entries(patch)) {
    const name = given.toLowerCase();
    const fault = found.has(name) ? 'is sent twice, with upper and with lower case' : faultIn(name);
    if (fault !== undefined) errors[`headers.${given}`] = [fault];
    found.set(name, value);
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return Object.fromEntries(found);
}

function faultIn(name: string): string | undefined {
  if (!NAME.test(name)) return 'must have a name of letters, digits and hyphens, as HTTP allows it';
  return RESERVED.test(name)
    ? 'is a header that the service or HTTP sets itself; choose another name'
    : undefined;
}
