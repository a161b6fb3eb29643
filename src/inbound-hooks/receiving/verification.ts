import { Webhook } from 'standardwebhooks';
import type { Schema } from '../../operation.ts';
import { invalidField } from '../../problem.ts';
import { encrypt } from '../../values/secrets.ts';
import type { InboundHookRow, Verification } from '../tables.ts';

type Settings = Pick<InboundHookRow, 'verification' | 'encrypted_secret'>;
type Patch = Schema<'UpdateVerification'>;

const none: Settings = {
  verification: { type: 'none', header: null, encoding: null, prefix: null },
  encrypted_secret: null,
};

const settings = ['header', 'encoding', 'prefix', 'secret'] as const;

const rules: Record<Verification['type'], { allowed: readonly string[]; required: readonly string[] }> = {
  none: { allowed: [], required: [] },
  standard_webhooks: { allowed: ['secret'], required: ['secret'] },
  hmac_sha256: { allowed: settings, required: ['header', 'secret'] },
  shared_header: { allowed: ['header', 'secret'], required: ['header', 'secret'] },
};

/**
 * Applies a merge patch to a hook's verification settings. A new type discards the previous settings. `key` encrypts the
 * secret. Throws 422 for a setting that the type requires and lacks, or does not allow.
 */
export function patchVerification(
  patch: Patch | undefined,
  key: Buffer,
  before: Settings = none,
): Partial<Settings> {
  if (patch === undefined) return {};
  const type = patch?.type ?? (patch === null ? 'none' : before.verification.type);
  const current = type === before.verification.type ? before : none;
  const { secret, ...changes } = patch ?? {};
  const verification = { ...current.verification, ...changes, type };
  const merged = { ...verification, secret: secret ?? current.encrypted_secret };
  for (const name of settings) {
    const isEmpty = merged[name] === null || merged[name] === '';
    if (!rules[type].allowed.includes(name) && !isEmpty) throw invalid(name, `is not allowed for ${type}`);
    if (rules[type].required.includes(name) && isEmpty) throw invalid(name, `is required for ${type}`);
  }
  if (secret !== undefined && type === 'standard_webhooks') checkStandardSecret(secret);
  return {
    verification: {
      type,
      header: verification.header,
      encoding: type === 'hmac_sha256' ? (verification.encoding ?? 'hex') : null,
      prefix: verification.prefix || null,
    },
    encrypted_secret: secret === undefined ? current.encrypted_secret : encrypt(key, secret),
  };
}

function checkStandardSecret(secret: string): void {
  try {
    new Webhook(secret);
  } catch {
    throw invalid('secret', 'must be a Standard Webhooks secret: whsec_ followed by base64');
  }
}

function invalid(setting: string, message: string) {
  return invalidField(`verification.${setting}`, message);
}
