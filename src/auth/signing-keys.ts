import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Db } from '../db/db.ts';
import { Deadline } from '../values/deadline.ts';
import { decrypt, encrypt, type SecretKey } from '../values/secrets.ts';
import { findSigningKeys, insertFirstSigningKey, insertSigningKey, type NewSigningKey } from './queries.ts';
import type { SigningKeyRow } from './tables.ts';

/** Maximum and default lifetime of a token. A retired key stays valid for the same time. Seconds. */
export const TOKEN_LIFETIME = 3600;
/** Minimum time between reloads for unknown key ids, so that forged tokens can't flood the database. Milliseconds. */
const RELOAD_INTERVAL = 1_000;
/** How long requests wait for a shared load. Milliseconds. */
const LOAD_TIMEOUT = 2_000;

export type SigningKeys = ReturnType<typeof createSigningKeys>;

type LoadedKey = ReturnType<typeof loadKey>;

/** Signing keys of one environment, cached until a rotation. `secretKey` decrypts the private keys. */
export function createSigningKeys(db: Db, secretKey: SecretKey) {
  let loading: Promise<LoadedKey[]> | undefined;
  let loadedAt = 0;

  /** Requests share one load. If it fails or times out, it is discarded and the next request loads again. */
  function keys(): Promise<LoadedKey[]> {
    if (loading !== undefined) return loading;
    loadedAt = performance.now();
    const current = new Deadline(LOAD_TIMEOUT).race(load()).catch((error: unknown) => {
      if (loading === current) loading = undefined;
      throw error;
    });
    loading = current;
    return current;
  }

  async function load(): Promise<LoadedKey[]> {
    const rows = await findSigningKeys(db, TOKEN_LIFETIME);
    if (rows.some((row) => row.retired_at === null)) {
      return rows.map((row) => loadKey(row, secretKey));
    }
    await insertFirstSigningKey(db, await newSigningKey(secretKey));
    return load();
  }

  return {
    /** Discards the loaded keys, because another process has rotated them. */
    reload() {
      loading = undefined;
    },
    /** The key that signs new tokens. */
    async current() {
      const key = (await keys()).find((candidate) => candidate.privateKey !== undefined);
      if (key?.privateKey === undefined) throw new Error('There is no current signing key.');
      return { id: key.id, privateKey: key.privateKey };
    },
    /** The public key with this id. Undefined if it is unknown or no longer valid. */
    async publicKey(id: string) {
      const find = async () => (await keys()).find((key) => key.id === id && key.usableUntil > Date.now());
      const known = await find();
      if (known !== undefined || performance.now() - loadedAt < RELOAD_INTERVAL) return known?.publicKey;
      loading = undefined;
      return (await find())?.publicKey;
    },
    async publicJwks() {
      return (await keys()).filter((key) => key.usableUntil > Date.now()).map((key) => key.publicJwk);
    },
  };
}

/**
 * Creates a new current key and returns its id. The old one stays valid until its last token has expired. Throws if `secretKey`
 * is not the servers' key: they could not decrypt the new key, so they could not issue tokens.
 */
export async function rotateSigningKey(db: Db, secretKey: SecretKey): Promise<string> {
  await createSigningKeys(db, secretKey).current();
  const key = await newSigningKey(secretKey);
  await insertSigningKey(db, key);
  return key.id;
}

/** Throws if `secretKey` is not the key that encrypted the signing keys. Creates none, unlike a start. */
export async function checkSecretKey(db: Db, secretKey: SecretKey): Promise<void> {
  for (const row of await findSigningKeys(db, TOKEN_LIFETIME)) loadKey(row, secretKey);
}

async function newSigningKey(secretKey: SecretKey): Promise<NewSigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const id = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return {
    id,
    public_jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: id, alg: 'EdDSA', use: 'sig' },
    encrypted_private_jwk: encrypt(secretKey, JSON.stringify(privateKey.export({ format: 'jwk' }))),
  };
}

function loadKey(row: SigningKeyRow, secretKey: SecretKey) {
  const { id, public_jwk: publicJwk, retired_at: retiredAt } = row;
  return {
    id,
    publicJwk,
    publicKey: createPublicKey({ key: { ...publicJwk }, format: 'jwk' }),
    privateKey: retiredAt === null ? decryptPrivateKey(row, secretKey) : undefined,
    usableUntil: retiredAt === null ? Infinity : Date.parse(retiredAt) + TOKEN_LIFETIME * 1000,
  };
}

function decryptPrivateKey(
  { encrypted_private_jwk: encrypted }: SigningKeyRow,
  secretKey: SecretKey,
): KeyObject {
  try {
    return createPrivateKey({ key: JSON.parse(decrypt(secretKey, encrypted)), format: 'jwk' });
  } catch (cause) {
    throw new Error(
      'SECRET_KEY does not decrypt the signing key in the database: it is not the key that encrypted it. If SECRET_KEY is ' +
        'not set, the key is in DATA_DIR/secret.key: restore the file from your backup.',
      { cause },
    );
  }
}
