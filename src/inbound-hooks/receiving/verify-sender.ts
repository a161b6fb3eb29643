import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { OperationContext } from '../../operation.ts';
import { Problem } from '../../problem.ts';
import { ExactNumber } from '../../values/exact-json.ts';
import { resolvePointer } from '../../values/json-pointer.ts';
import { decrypt, hashSecret, type SecretKey, secretMatches } from '../../values/secrets.ts';
import type { InboundHookRow } from '../tables.ts';
import type { Payload } from './body/read-body.ts';
import { hasSignature } from './signature.ts';

type SignedRequest = Pick<OperationContext, 'headers' | 'rawBody' | 'secretKey' | 'url'>;
type Hook = Pick<InboundHookRow, 'verification' | 'encrypted_secret'>;

/** Throws 401 unless the request carries the signature or secret that the hook's verification requires in a header. */
export function verifyHeaders(hook: Hook, { headers, rawBody, secretKey, url }: SignedRequest): void {
  const { verification } = hook;
  const body = rawBody ?? Buffer.alloc(0);
  switch (verification.type) {
    case 'none':
    case 'shared_field':
      break;
    case 'standard_webhooks':
      verifyStandard(secretOf(hook, secretKey), headers, body);
      break;
    case 'hmac_sha256':
      if (!hasSignature(verification, secretOf(hook, secretKey), { headers, body, url }))
        throw headerInvalid(hook);
      break;
    case 'shared_header': {
      const value = headers[verification.header?.toLowerCase() ?? ''];
      if (!matches(value, secretOf(hook, secretKey))) throw headerInvalid(hook);
      break;
    }
    default:
      verification.type satisfies never;
  }
}

/**
 * The secret that the hook expects in the payload, for removing it. Undefined if it expects none. Throws 401 if the payload
 * has another one.
 */
export function verifyField(hook: Hook, payload: Payload, secretKey: SecretKey): string | undefined {
  const { type, path } = hook.verification;
  if (type !== 'shared_field' || path === null) return undefined;
  const secret = secretOf(hook, secretKey);
  if (matches(resolvePointer(path, payload), secret)) return secret;
  throw signatureInvalid(`The field ${path} does not have the secret that this hook requires.`);
}

/** A table constraint guarantees a secret for every type but `none`. */
function secretOf({ encrypted_secret: encrypted }: Hook, secretKey: SecretKey): string {
  return decrypt(secretKey, encrypted as Buffer);
}

function matches(given: unknown, secret: string): boolean {
  const value = given instanceof ExactNumber ? given.source : given;
  return typeof value === 'string' && secretMatches(value, hashSecret(secret));
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

function headerInvalid({ verification }: Hook): Problem {
  const { header, tolerance } = verification;
  const late =
    typeof tolerance === 'number' ? `, or its timestamp is more than ${tolerance} seconds off` : '';
  return signatureInvalid(
    `The header ${header} does not match the signature or secret that this hook requires${late}.`,
  );
}

export function signatureInvalid(message: string): Problem {
  return new Problem('signature_invalid', message);
}
