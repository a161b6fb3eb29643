import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { defaultPublicUrl } from '../../src/config-values.ts';
import { certificate, privateKey } from '../support/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
const certFile = join(folder, 'cert.pem');
const keyFile = join(folder, 'key.pem');
const otherKeyFile = join(folder, 'other-key.pem');
writeFileSync(certFile, certificate);
writeFileSync(keyFile, privateKey);
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
writeFileSync(otherKeyFile, other.export({ type: 'pkcs8', format: 'pem' }));
afterAll(() => rmSync(folder, { recursive: true }));

const hexKey = '0123456789abcdef'.repeat(4);
const databases = {
  DATABASE_URL: 'postgres://api:hunter2@db.example.com/leads',
  SANDBOX_DATABASE_URL: 'postgres://api:hunter2@db.example.com/leads_sandbox',
  SECRET_KEY: hexKey,
};

function faults(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(loadConfig({})).toEqual({
      role: 'all',
      environments: ['production', 'sandbox'],
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      dataDir: resolve('.data'),
      databasePoolSize: 10,
      databaseWait: 60_000,
      notifiesSystemd: false,
      logLevel: 'info',
      rateLimits: {
        read: 1200,
        write: 600,
        batch: 60,
        search: 300,
        analytics: 120,
        tokenClient: 30,
        tokenIp: 60,
        inbound: 300,
        anonymous: 60,
        badSecret: 10,
      },
      targetRules: { allowPrivate: false, allowLoopback: true },
      inboundStorage: 2 ** 30,
      importStorage: 2 ** 32,
      idempotencyStorage: 2 ** 33,
      warnings: [],
    });
  });

  it('treats an empty variable like a missing one', () => {
    expect(loadConfig({ HOST: '', PORT: ' ', SECRET_KEY: '', DATABASE_URL: '' })).toEqual(loadConfig({}));
  });

  it('reads every variable', () => {
    const limited =
      'READ WRITE SEARCH ANALYTICS TOKEN_CLIENT TOKEN_IP INBOUND ANONYMOUS BATCH BAD_SECRET'.split(' ');
    const env = {
      ...databases,
      ROLE: 'worker',
      ENVIRONMENTS: 'sandbox, production',
      HOST: '0.0.0.0',
      PORT: '8443',
      PUBLIC_URL: 'https://api.example.com/',
      DATA_DIR: folder,
      DATABASE_POOL_SIZE: '25',
      DATABASE_WAIT_SECONDS: '5',
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::1',
      ...{ LOG_LEVEL: 'debug', NOTIFY_SOCKET: '/run/systemd/notify' },
      ...Object.fromEntries(limited.map((name, index) => [`RATE_LIMIT_${name}`, `${index + 1}`])),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...{ INBOUND_STORAGE_MIB: '64', IMPORT_STORAGE_MIB: '256', IDEMPOTENCY_STORAGE_MIB: '512' },
      DEFAULT_COUNTRY: 'DE',
    };
    expect(loadConfig(env)).toEqual({
      role: 'worker',
      environments: ['production', 'sandbox'],
      host: '0.0.0.0',
      port: 8443,
      publicUrl: 'https://api.example.com',
      dataDir: folder,
      databases: { production: env.DATABASE_URL, sandbox: env.SANDBOX_DATABASE_URL },
      databasePoolSize: 25,
      databaseWait: 5_000,
      secretKey: [Buffer.from(hexKey, 'hex')],
      tls: { certFile, keyFile },
      trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::1'],
      notifiesSystemd: true,
      logLevel: 'debug',
      rateLimits: {
        read: 1,
        write: 2,
        search: 3,
        analytics: 4,
        tokenClient: 5,
        tokenIp: 6,
        inbound: 7,
        anonymous: 8,
        batch: 9,
        badSecret: 10,
      },
      targetRules: { allowPrivate: true, allowLoopback: false },
      inboundStorage: 64 * 2 ** 20,
      importStorage: 256 * 2 ** 20,
      idempotencyStorage: 512 * 2 ** 20,
      warnings: [],
      defaultCountry: 'DE',
    });
  });

  it('reports all faults together, one per line', () => {
    const told = faults({
      HOST: 'not a host',
      PORT: '70000',
      PUBLIC_URL: 'api.example.com',
      DATABASE_URL: 'mysql://api:hunter2@db/leads',
      DATABASE_POOL_SIZE: '0',
      SECRET_KEY: 'letmein',
      TLS_CERT_FILE: join(folder, 'absent.pem'),
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'loud',
      RATE_LIMIT_READ: '-1',
      RATE_LIMIT_REED: '5',
    });
    expect(told.map((line) => line.split(' ')[0]).sort()).toEqual([
      'DATABASE_POOL_SIZE',
      'DATABASE_URL',
      'HOST',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'RATE_LIMIT_READ',
      'RATE_LIMIT_REED',
      'SANDBOX_DATABASE_URL',
      'SECRET_KEY',
      'TLS_CERT_FILE',
      'TLS_KEY_FILE',
      'TRUST_PROXY',
    ]);
    expect(told).toContain('PORT is "70000": it must be a port from 0 (any free one) to 65535.');
  });

  it('never shows a secret or a password', () => {
    const told = faults({ DATABASE_URL: 'mysql://api:hunter2@db/leads', SECRET_KEY: 'letmein' }).join('\n');
    expect(told).toMatch(/DATABASE_URL is invalid/);
    expect(told).not.toMatch(/hunter2|letmein/);
  });
});

describe('exactly one fault is reported for', () => {
  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['an unknown role', { ROLE: 'web' }, /^ROLE is "web": it must be one of all, api, worker\.$/],
    ['a non-boolean', { WEBHOOK_ALLOW_PRIVATE: 'yes' }, /^WEBHOOK_ALLOW_PRIVATE is "yes": .* true or false/],
    ['no room for answers', { IDEMPOTENCY_STORAGE_MIB: '3' }, /^IDEMPOTENCY_STORAGE_MIB is "3": .* from 4 /],
    ['a country that none is', { DEFAULT_COUNTRY: 'XY' }, /^DEFAULT_COUNTRY is "XY": .* such as DE or US/],
    ['little room for imports', { IMPORT_STORAGE_MIB: '3' }, /^IMPORT_STORAGE_MIB is "3": .* from 4 /],
    ['no room for payloads', { INBOUND_STORAGE_MIB: '0' }, /^INBOUND_STORAGE_MIB is "0": .* from 1 /],
    ['a port in exponent notation', { PORT: '3e3' }, /^PORT is "3e3"/],
    ['only production', { ...databases, SANDBOX_DATABASE_URL: '' }, /^SANDBOX_DATABASE_URL is missing/],
    ['only the sandbox', { ...databases, DATABASE_URL: '' }, /^DATABASE_URL is missing/],
    [
      'the same database for both, with another login',
      { ...databases, SANDBOX_DATABASE_URL: 'postgresql://other:login@DB.example.com:5432/leads' },
      /^SANDBOX_DATABASE_URL names the same database/,
    ],
    [
      'a database URL without a database',
      { ...databases, DATABASE_URL: 'postgres://db' },
      /^DATABASE_URL is invalid/,
    ],
    ['a database without SECRET_KEY', { ...databases, SECRET_KEY: '' }, /^SECRET_KEY is missing/],
    ['a short key', { SECRET_KEY: Buffer.alloc(31).toString('base64') }, /^SECRET_KEY is invalid/],
    ['a long key', { SECRET_KEY: Buffer.alloc(33).toString('base64') }, /^SECRET_KEY is invalid/],
    ['a certificate without its key', { TLS_CERT_FILE: certFile }, /^TLS_KEY_FILE is missing/],
    ['a folder as certificate', { TLS_CERT_FILE: folder, TLS_KEY_FILE: keyFile }, /^TLS_CERT_FILE is/],
    [
      'a key of another certificate',
      { TLS_CERT_FILE: certFile, TLS_KEY_FILE: otherKeyFile },
      /do not work together/,
    ],
    ['plain HTTP for the network', { HOST: '0.0.0.0' }, /^HOST is "0\.0\.0\.0": plain HTTP/],
    ['plain HTTP on an address', { HOST: '192.168.1.5' }, /plain HTTP/],
    ['a proxy list that trusts everyone', { TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY/],
    ['a proxy by name', { TRUST_PROXY: 'proxy.internal' }, /^TRUST_PROXY/],
    ['zero hops', { TRUST_PROXY: '0' }, /^TRUST_PROXY/],
    ['a public URL with a query', { PUBLIC_URL: 'https://a.example/?b' }, /^PUBLIC_URL/],
    ['a public URL with another scheme', { PUBLIC_URL: 'ftp://a.example' }, /^PUBLIC_URL/],
    ['a pool larger than the embedded server', { DATABASE_POOL_SIZE: '60' }, /^DATABASE_POOL_SIZE.* 1 to 40/],
    ['a limit of zero', { RATE_LIMIT_SEARCH: '0' }, /^RATE_LIMIT_SEARCH/],
  ])('%s', (_, env, line) => {
    expect(faults(env)).toEqual([expect.stringMatching(line)]);
  });
});

describe('no fault is reported for', () => {
  it.each<[string, NodeJS.ProcessEnv]>([
    ['plain HTTP on loopback, IPv6', { HOST: '::1' }],
    ['plain HTTP on loopback, by name', { HOST: 'localhost' }],
    ['plain HTTP on another loopback address', { HOST: '127.8.9.10' }],
    ['plain HTTP behind a proxy', { HOST: '0.0.0.0', TRUST_PROXY: '1' }],
    ['TLS for the network', { HOST: '::', TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }],
    ['a key in base64', { SECRET_KEY: Buffer.alloc(32, 200).toString('base64') }],
    ["a large pool on the operator's own server", { ...databases, DATABASE_POOL_SIZE: '60' }],
    [
      'a database on a Unix socket',
      { ...databases, DATABASE_URL: 'postgres://api@/leads?host=/run/postgresql' },
    ],
  ])('%s', (_, env) => {
    expect(faults(env)).toEqual([]);
  });
});

describe('the public URL', () => {
  it.each([
    ['127.0.0.1', false, 'http://127.0.0.1:3000'],
    ['::1', false, 'http://[::1]:3000'],
    ['0.0.0.0', true, 'https://localhost:3000'],
    ['api.example.com', true, 'https://api.example.com:3000'],
  ])('is derived from %s, TLS: %s', (host, secure, url) => {
    expect(defaultPublicUrl({ host, tls: secure ? { certFile, keyFile } : undefined }, 3000)).toBe(url);
  });

  it('is not known in advance for port 0, unless it is configured', () => {
    expect(loadConfig({ PORT: '0' }).publicUrl).toBeUndefined();
    expect(loadConfig({ PORT: '0', PUBLIC_URL: 'https://a.example/api/' }).publicUrl).toBe(
      'https://a.example/api',
    );
  });
});
