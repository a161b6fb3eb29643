import { createHmac } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { decrypt, hashSecret, secretMatches } from '../auth/secrets.ts';
import type { InboundHookRow, Verification } from '../db/inbound-tables.ts';
import type { OperationContext } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';

type Received = Pick<OperationContext, 'headers' | 'rawBody' | 'secretKey'>;

/** Throws 401 unless the request proves, as its hook asks, that it comes from who knows the secret. */
export function verifySender(
  { verification, encrypted_secret: sealed }: InboundHookRow,
  { headers, rawBody = Buffer.alloc(0), secretKey }: Received,
): void {
  if (verification.type === 'none') return;
  // A constraint of the table says that there is one.
  const secret = decrypt(secretKey, sealed as Buffer);
  if (verification.type === 'standard_webhooks') {
    verifyStandard(secret, headers, rawBody);
    return;
  }
  const name = verification.header ?? '';
  const value = headers[name.toLowerCase()];
  const expected = verification.type === 'hmac_sha256' ? signature(verification, secret, rawBody) : secret;
  const given = verification.encoding === 'hex' ? withoutCase(value, verification.prefix) : value;
  if (typeof given !== 'string' || !secretMatches(given, hashSecret(expected))) {
    throw refused(`The header ${name} does not hold what this hook asks for.`);
  }
}

function signature({ encoding, prefix }: Verification, secret: string, body: Buffer): string {
  return (
    (prefix ?? '') +
    createHmac('sha256', secret)
      .update(body)
      .digest(encoding ?? 'hex')
  );
}

/** Hexadecimal digits may be sent in either case; the prefix is as it is. */
function withoutCase(value: string | string[] | undefined, prefix: string | null): string | undefined {
  if (typeof value !== 'string') return undefined;
  const length = prefix?.length ?? 0;
  return value.slice(0, length) + value.slice(length).toLowerCase();
}

function verifyStandard(secret: string, headers: Received['headers'], body: Buffer): void {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw refused(`The signature is not one of Standard Webhooks with this hook's secret: ${error.message}.`);
  }
}

function refused(message: string): Problem {
  return new Problem('signature_invalid', message);
}
