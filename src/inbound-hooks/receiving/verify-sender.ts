import { createHmac } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { OperationContext } from '../../operation.ts';
import { Problem } from '../../problem.ts';
import { decrypt, hashSecret, secretMatches } from '../../values/secrets.ts';
import type { InboundHookRow, Verification } from '../tables.ts';

type SignedRequest = Pick<OperationContext, 'headers' | 'rawBody' | 'secretKey'>;

/** Throws 401 unless the request carries the signature or secret that the hook's verification requires. */
export function verifySender(
  { verification, encrypted_secret: encryptedSecret }: InboundHookRow,
  { headers, rawBody = Buffer.alloc(0), secretKey }: SignedRequest,
): void {
  // A table constraint guarantees a secret for every type but `none`.
  const secret = () => decrypt(secretKey, encryptedSecret as Buffer);
  switch (verification.type) {
    case 'none':
      break;
    case 'standard_webhooks':
      verifyStandard(secret(), headers, rawBody);
      break;
    case 'hmac_sha256':
      verifyHeader(verification, signature(verification, secret(), rawBody), headers);
      break;
    case 'shared_header':
      verifyHeader(verification, secret(), headers);
      break;
    default:
      verification.type satisfies never;
  }
}

function verifyHeader(verification: Verification, expected: string, headers: SignedRequest['headers']): void {
  const name = verification.header ?? '';
  const value = headers[name.toLowerCase()];
  const actual = verification.encoding === 'hex' ? lowerCaseHex(value, verification.prefix) : value;
  if (typeof actual !== 'string' || !secretMatches(actual, hashSecret(expected))) {
    throw signatureInvalid(
      `The header ${name} does not match the signature or secret that this hook requires.`,
    );
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

/** Lowercases the hexadecimal digits, which may be sent in either case, but not the prefix. */
function lowerCaseHex(value: string | string[] | undefined, prefix: string | null): string | undefined {
  if (typeof value !== 'string') return undefined;
  const length = prefix?.length ?? 0;
  return value.slice(0, length) + value.slice(length).toLowerCase();
}

function verifyStandard(secret: string, headers: SignedRequest['headers'], body: Buffer): void {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    throw signatureInvalid(
      `The request has no valid Standard Webhooks signature with this hook's secret: ${error.message}.`,
    );
  }
}

function signatureInvalid(message: string): Problem {
  return new Problem('signature_invalid', message);
}
