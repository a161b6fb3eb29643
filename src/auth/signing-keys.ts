import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Db } from '../db/db.ts';
import { withTimeout } from '../db/deadline.ts';
import type { PublicJwk, SigningKeyRow } from '../db/tables.ts';
import { findSigningKeys, insertFirstSigningKey, replaceSigningKey } from './queries.ts';
import { decrypt, encrypt } from './secrets.ts';

/** Lifetime of a token (fixed by the contract). A retired key verifies for the same time. Seconds. */
export const TOKEN_LIFETIME = 3600;
/** Minimum time between reloads for unknown key ids, so that forged tokens can't flood the database. Milliseconds. */
const RELOAD_INTERVAL = 1_000;
/** How long requests wait for a shared load. Milliseconds. */
const LOAD_TIMEOUT = 2_000;

export interface SigningKeys {
  /** The key that signs new tokens. */
  current(): Promise<{ id: string; privateKey: CryptoKey }>;
  /** The public key with this id. Undefined if it is unknown or no longer valid. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
  publicJwks(): Promise<PublicJwk[]>;
  /** Discards the loaded keys, because another process has rotated them. */
  reload(): void;
}

interface LoadedKey {
  id: string;
  publicJwk: PublicJwk;
  publicKey: CryptoKey;
  privateKey: CryptoKey | undefined;
  usableUntil: number;
}

/** Signing keys of one environment, cached until a rotation. `secretKey` decrypts the private keys. */
export function createSigningKeys(db: Db, secretKey: Buffer): SigningKeys {
  let loading: Promise<LoadedKey[]> | undefined;
  let loadedAt = 0;

  /** Requests share one load. If it fails or times out, it is discarded and the next request loads again. */
  function keys(): Promise<LoadedKey[]> {
    if (loading !== undefined) return loading;
    loadedAt = performance.now();
    const current = withTimeout(LOAD_TIMEOUT, load()).catch((error: unknown) => {
      if (loading === current) loading = undefined;
      throw error;
    });
    loading = current;
    return current;
  }

  async function load(): Promise<LoadedKey[]> {
    const rows = await findSigningKeys(db, TOKEN_LIFETIME);
    if (rows.some((row) => row.retired_at === null)) {
      return Promise.all(rows.map((row) => loadKey(row, secretKey)));
    }
    await insertFirstSigningKey(db, await newSigningKey(secretKey));
    return load();
  }

  function reload(): void {
    loading = undefined;
  }

  return {
    reload,
    async current() {
      const key = (await keys()).find((candidate) => candidate.privateKey !== undefined);
      if (key?.privateKey === undefined) throw new Error('There is no current signing key.');
      return { id: key.id, privateKey: key.privateKey };
    },
    async publicKey(id) {
      const find = async () => (await keys()).find((key) => key.id === id && key.usableUntil > Date.now());
      const known = await find();
      if (known !== undefined || performance.now() - loadedAt < RELOAD_INTERVAL) return known?.publicKey;
      reload();
      return (await find())?.publicKey;
    },
    async publicJwks() {
      return (await keys()).filter((key) => key.usableUntil > Date.now()).map((key) => key.publicJwk);
    },
  };
}

/**
 * Creates a new current key and returns its id. The old one verifies until its last token has expired. Throws if `secretKey`
 * is not that of the servers: they could not decrypt the new key, and could issue no more tokens.
 */
export async function rotateSigningKey(db: Db, secretKey: Buffer): Promise<string> {
  await createSigningKeys(db, secretKey).current();
  const key = await newSigningKey(secretKey);
  await replaceSigningKey(db, key);
  return key.id;
}

async function newSigningKey(
  secretKey: Buffer,
): Promise<Pick<SigningKeyRow, 'id' | 'public_jwk' | 'encrypted_private_jwk'>> {
  const pair = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = await exportJWK(pair.publicKey);
  const id = await calculateJwkThumbprint(jwk);
  return {
    id,
    public_jwk: { kty: 'OKP', crv: 'Ed25519', x: jwk.x ?? '', kid: id, alg: 'EdDSA', use: 'sig' },
    encrypted_private_jwk: encrypt(secretKey, JSON.stringify(await exportJWK(pair.privateKey))),
  };
}

async function loadKey(row: SigningKeyRow, secretKey: Buffer): Promise<LoadedKey> {
  const isCurrent = row.retired_at === null;
  return {
    id: row.id,
    publicJwk: row.public_jwk,
    publicKey: (await importJWK(row.public_jwk as JWK, 'EdDSA')) as CryptoKey,
    privateKey: isCurrent ? await decryptPrivateKey(row, secretKey) : undefined,
    usableUntil: row.retired_at === null ? Infinity : Date.parse(row.retired_at) + TOKEN_LIFETIME * 1000,
  };
}

async function decryptPrivateKey(row: SigningKeyRow, secretKey: Buffer): Promise<CryptoKey> {
  let jwk: JWK;
  try {
    jwk = JSON.parse(decrypt(secretKey, row.encrypted_private_jwk));
  } catch (cause) {
    throw new Error(
      'SECRET_KEY does not decrypt the signing key in the database: it is not the key that encrypted it.',
      { cause },
    );
  }
  return (await importJWK(jwk, 'EdDSA')) as CryptoKey;
}
