import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { withTimeout } from '../db/deadline.ts';
import type { Db } from '../db/knex.ts';
import type { PublicJwk, SigningKeyRow } from '../db/tables.ts';
import { findSigningKeys, insertFirstSigningKey, replaceSigningKey } from './queries.ts';
import { decrypt, encrypt } from './secrets.ts';

/** A token's lifetime in seconds (law). A retired key verifies for as long. */
export const TOKEN_LIFETIME = 3600;
/** An unknown key id asks the database at most this often (milliseconds), so that made-up tokens can't flood it. */
const RELOAD_INTERVAL = 1_000;
/** How long requests wait for the same load (milliseconds). */
const LOAD_LIMIT = 2_000;

export interface SigningKeys {
  /** The key that new tokens are signed with. */
  current(): Promise<{ id: string; privateKey: CryptoKey }>;
  /** The public key of this id, or undefined when no such key may verify a token. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
  publicJwks(): Promise<PublicJwk[]>;
  /** Forgets what was loaded: another process rotated the keys. */
  reload(): void;
}

interface LoadedKey {
  id: string;
  publicJwk: PublicJwk;
  publicKey: CryptoKey;
  privateKey: CryptoKey | undefined;
  usableUntil: number;
}

/** The keys of one environment, read from its database and remembered until a rotation. `secretKey` opens the private halves. */
export function createSigningKeys(db: Db, secretKey: Buffer): SigningKeys {
  let loading: Promise<LoadedKey[]> | undefined;
  let loadedAt = 0;

  /** All requests share a load, so none may be waited for that fails or takes long: the next one loads anew. */
  function keys(): Promise<LoadedKey[]> {
    if (loading !== undefined) return loading;
    loadedAt = performance.now();
    const mine = withTimeout(LOAD_LIMIT, load()).catch((error: unknown) => {
      if (loading === mine) loading = undefined;
      throw error;
    });
    loading = mine;
    return mine;
  }

  async function load(): Promise<LoadedKey[]> {
    const rows = await findSigningKeys(db, TOKEN_LIFETIME);
    if (rows.some((row) => row.retired_at === null)) {
      return Promise.all(rows.map((row) => openKey(row, secretKey)));
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
 * Makes a new current key; the old one verifies until its last token has expired. Returns the new key's id. Refused
 * when `secretKey` is not the one of the servers: they could not open the new key, and give no more tokens.
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

async function openKey(row: SigningKeyRow, secretKey: Buffer): Promise<LoadedKey> {
  const isCurrent = row.retired_at === null;
  return {
    id: row.id,
    publicJwk: row.public_jwk,
    publicKey: (await importJWK(row.public_jwk as JWK, 'EdDSA')) as CryptoKey,
    privateKey: isCurrent ? await openPrivateKey(row, secretKey) : undefined,
    usableUntil: row.retired_at === null ? Infinity : row.retired_at.getTime() + TOKEN_LIFETIME * 1000,
  };
}

async function openPrivateKey(row: SigningKeyRow, secretKey: Buffer): Promise<CryptoKey> {
  let jwk: JWK;
  try {
    jwk = JSON.parse(decrypt(secretKey, row.encrypted_private_jwk));
  } catch (cause) {
    throw new Error(
      'SECRET_KEY does not open the signing key in the database: it is not the key that sealed it.',
      { cause },
    );
  }
  return (await importJWK(jwk, 'EdDSA')) as CryptoKey;
}
