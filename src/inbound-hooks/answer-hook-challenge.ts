import { createHmac } from 'node:crypto';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidParameter } from '../problem.ts';
import { decrypt, hashSecret, type SecretKey, secretMatches } from '../values/secrets.ts';
import { findEnabledHook } from './enabled-hook.ts';
import { signatureInvalid } from './receiving/verify-sender.ts';
import type { InboundHookRow } from './tables.ts';

export async function answerHookChallenge(
  { query }: Input<'answerHookChallenge'>,
  context: OperationContext,
): Promise<Result<'answerHookChallenge'>> {
  const hook = await findEnabledHook(context);
  const { challengeCode } = query;
  if (challengeCode !== undefined) {
    const challengeResponse = sign(challengeCode, hook, context.secretKey);
    return { status: 200, body: { challengeCode, challengeResponse } };
  }
  const challenge = query['hub.challenge'];
  if (challenge === undefined) {
    throw invalidParameter(
      'hub.challenge',
      'is required: this is the URL of an inbound hook, which takes POST',
    );
  }
  if (query['hub.mode'] !== 'subscribe') throw invalidParameter('hub.mode', 'must be subscribe');
  checkToken(query['hub.verify_token'] ?? '', hook, context.secretKey);
  return { status: 200, body: challenge, mediaType: 'text/plain' };
}

function checkToken(
  token: string,
  { encrypted_verify_token: encrypted }: InboundHookRow,
  secretKey: SecretKey,
): void {
  const expected = encrypted === null ? undefined : hashSecret(decrypt(secretKey, encrypted));
  if (!secretMatches(token, expected)) {
    throw signatureInvalid('The hub.verify_token is not the one of this hook.');
  }
}

/** The contract allows only UUIDs. Otherwise, anyone who knows the URL could have a body signed. */
function sign(
  challenge: string,
  { verification, encrypted_secret: encrypted }: InboundHookRow,
  secretKey: SecretKey,
): string {
  if (verification.type !== 'hmac_sha256' || encrypted === null) {
    throw signatureInvalid('This hook has no secret for signatures.');
  }
  return createHmac('sha256', decrypt(secretKey, encrypted)).update(challenge).digest('hex');
}
