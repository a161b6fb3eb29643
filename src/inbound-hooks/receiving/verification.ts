import { Webhook } from 'standardwebhooks';
import type { Schema } from '../../operation.ts';
import { invalidField } from '../../problem.ts';
import { encrypt, type SecretKey } from '../../values/secrets.ts';
import type { InboundHookRow, Verification } from '../tables.ts';

type Columns = Pick<InboundHookRow, 'verification' | 'encrypted_secret' | 'encrypted_verify_token'>;
type Patch = Schema<'UpdateInboundHookVerification'>;
type Setting = Exclude<keyof Verification, 'type'> | 'secret';

/** Seconds that a timestamp may differ from now. */
const DEFAULT_TOLERANCE = 300;
/** What is signed, unless the hook says more. */
const BODY = '{body}';

const empty: Omit<Verification, 'type'> = {
  header: null,
  encoding: null,
  prefix: null,
  signed: null,
  timestamp_header: null,
  tolerance: null,
  path: null,
};

const none: Columns = {
  verification: { type: 'none', ...empty },
  encrypted_secret: null,
  encrypted_verify_token: null,
};

const settings: readonly Setting[] = [...(Object.keys(empty) as (keyof typeof empty)[]), 'secret'];

const rules: Record<Verification['type'], { allowed: readonly Setting[]; required: readonly Setting[] }> = {
  none: { allowed: [], required: [] },
  standard_webhooks: { allowed: ['secret'], required: ['secret'] },
  hmac_sha256: {
    allowed: settings.filter((name) => name !== 'path'),
    required: ['header', 'secret'],
  },
  shared_header: { allowed: ['header', 'secret'], required: ['header', 'secret'] },
  shared_field: { allowed: ['path', 'secret'], required: ['path', 'secret'] },
};

/**
 * Applies a merge patch to a hook's verification settings. A new type discards the previous settings. `key` encrypts the
 * secrets. Throws 422 for a setting that the type requires and lacks, or does not allow.
 */
export function patchVerification(
  patch: Patch | undefined,
  key: SecretKey,
  before: Columns = none,
): Partial<Columns> {
  if (patch === undefined) return {};
  const type = patch?.type ?? (patch === null ? 'none' : before.verification.type);
  const current = type === before.verification.type ? before : none;
  const { secret, verify_token: verifyToken, ...changes } = patch ?? {};
  const verification = { ...current.verification, ...changes, type };
  checkSettings({ ...verification, secret: secret ?? current.encrypted_secret });
  if (secret !== undefined && type === 'standard_webhooks') checkStandardSecret(secret);
  return {
    verification: type === 'hmac_sha256' ? withDefaults(verification) : verification,
    encrypted_secret: secret === undefined ? current.encrypted_secret : encrypt(key, secret),
    encrypted_verify_token: patchToken(verifyToken, key, current.encrypted_verify_token),
  };
}

function patchToken(token: string | null | undefined, key: SecretKey, current: Buffer | null): Buffer | null {
  if (token === undefined) return current;
  return token === null ? null : encrypt(key, token);
}

function checkSettings(given: Verification & Record<'secret', unknown>): void {
  const { type } = given;
  for (const name of settings) {
    const isEmpty = given[name] === null || given[name] === '';
    if (!rules[type].allowed.includes(name) && !isEmpty) throw invalid(name, `is not allowed for ${type}`);
    if (rules[type].required.includes(name) && isEmpty) throw invalid(name, `is required for ${type}`);
  }
  const signed = given.signed ?? BODY;
  if (!signed.includes(BODY)) throw invalid('signed', 'must contain {body}');
  if (signed.includes('{timestamp}')) return;
  for (const name of ['timestamp_header', 'tolerance'] as const) {
    if (given[name] !== null) throw invalid(name, 'needs {timestamp} in verification.signed');
  }
}

function withDefaults({ encoding, prefix, signed, tolerance, ...others }: Verification): Verification {
  const isTimed = signed?.includes('{timestamp}') === true;
  return {
    ...others,
    encoding: encoding ?? 'hex',
    prefix: prefix || null,
    signed: signed ?? BODY,
    tolerance: isTimed ? (tolerance ?? DEFAULT_TOLERANCE) : null,
  };
}

function checkStandardSecret(secret: string): void {
  try {
    new Webhook(secret);
  } catch {
    throw invalid('secret', 'must be a Standard Webhooks secret: whsec_ followed by base64');
  }
}

function invalid(setting: Setting, message: string) {
  return invalidField(`verification.${setting}`, message);
}
