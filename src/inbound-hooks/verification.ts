import { Webhook } from 'standardwebhooks';
import { encrypt } from '../auth/secrets.ts';
import type { InboundHookRow, Verification } from '../db/inbound-tables.ts';
import type { Schema } from '../http/operation.ts';
import { invalidField } from '../http/problem.ts';

type Settings = Pick<InboundHookRow, 'verification' | 'encrypted_secret'>;
type Patch = Schema<'UpdateVerification'>;

const none: Settings = {
  verification: { type: 'none', header: null, encoding: null, prefix: null },
  encrypted_secret: null,
};

const members = ['header', 'encoding', 'prefix', 'secret'] as const;

/** What each type takes, and which of that it can't do without. */
const rules: Record<Verification['type'], { takes: readonly string[]; needs: readonly string[] }> = {
  none: { takes: [], needs: [] },
  standard_webhooks: { takes: ['secret'], needs: ['secret'] },
  hmac_sha256: { takes: members, needs: ['header', 'secret'] },
  shared_header: { takes: ['header', 'secret'], needs: ['header', 'secret'] },
};

/**
 * How a hook's deliveries prove where they come from, after the patch; with another type everything is set anew. `key`
 * seals the secret. Throws 422 for what the type needs and has not, or has no use for.
 */
export function patchVerification(
  patch: Patch | undefined,
  key: Buffer,
  before: Settings = none,
): Partial<Settings> {
  if (patch === undefined) return {};
  const type = patch?.type ?? (patch === null ? 'none' : before.verification.type);
  const kept = type === before.verification.type ? before : none;
  const { secret, ...given } = patch ?? {};
  const verification = { ...kept.verification, ...given, type };
  const wanted = { ...verification, secret: secret ?? kept.encrypted_secret };
  for (const name of members) {
    const isEmpty = wanted[name] === null || wanted[name] === '';
    if (!rules[type].takes.includes(name) && !isEmpty) throw invalid(name, `is not for ${type}`);
    if (rules[type].needs.includes(name) && isEmpty) throw invalid(name, `is required for ${type}`);
  }
  if (secret !== undefined && type === 'standard_webhooks') checkStandardSecret(secret);
  return {
    verification: {
      type,
      header: verification.header,
      encoding: type === 'hmac_sha256' ? (verification.encoding ?? 'hex') : null,
      prefix: verification.prefix || null,
    },
    encrypted_secret: secret === undefined ? kept.encrypted_secret : encrypt(key, secret),
  };
}

function checkStandardSecret(secret: string): void {
  try {
    new Webhook(secret);
  } catch {
    throw invalid('secret', 'must be a secret of Standard Webhooks: whsec_ and base64');
  }
}

function invalid(member: string, message: string) {
  return invalidField(`verification.${member}`, message);
}
