import { randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { createSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Context } from '../../src/context.ts';
import type { SecretKey } from '../../src/values/secrets.ts';

interface Forgery {
  claims?: JWTPayload;
  header?: Partial<JWTHeaderParameters>;
}

/** A token like one that the service issues to the client, signed with the real key, with the test's changes. */
export async function forgeToken(
  { db, baseUrl }: Context,
  secretKey: SecretKey,
  clientId: string,
  { claims, header }: Forgery = {},
): Promise<string> {
  const { id, privateKey } = await createSigningKeys(db, secretKey).current();
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: baseUrl,
    aud: baseUrl,
    sub: clientId,
    client_id: clientId,
    scope: 'read write',
    jti: `0.${randomUUID()}`,
    iat: now,
    exp: now + 3600,
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: id, ...header })
    .sign(privateKey);
}
