import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  databaseOf,
  hostName,
  isLoopback,
  key,
  keyExpected,
  oneOf,
  postgresUrl,
  proxies,
  proxiesExpected,
  publicUrl,
  readableFile,
  secureContextFault,
  wholeNumber,
} from './config-values.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Requests per minute. The contract documents these defaults. */
const rateLimitDefaults = {
  read: 1200,
  write: 600,
  search: 300,
  analytics: 120,
  tokenClient: 30,
  tokenIp: 60,
  inbound: 300,
  anonymous: 60,
};

const roles = ['all', 'api', 'worker'] as const;

type RateLimitName = keyof typeof rateLimitDefaults;

export interface Config {
  /** What this process does: `api` serves requests, `worker` delivers webhooks, `all` does both. */
  readonly role: (typeof roles)[number];
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Without a trailing slash. Undefined if it depends on a port that is not chosen yet (PORT=0). */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: use the embedded server. */
  readonly databases: { readonly production: string; readonly sandbox: string } | undefined;
  readonly databasePoolSize: number;
  /** 32 bytes. Undefined: use the key stored in dataDir. */
  readonly secretKey: Buffer | undefined;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Value of Express's `trust proxy`: a number of hops, or addresses. */
  readonly trustProxy: number | string[] | undefined;
  readonly logLevel: (typeof logLevels)[number];
  readonly rateLimits: Readonly<Record<RateLimitName, number>>;
  /** Which addresses webhooks may point to. */
  readonly targetRules: { readonly allowPrivate: boolean };
  /** Maximum total size of stored inbound payloads, per environment. Bytes. */
  readonly inboundStorage: number;
}

/** The message has one line per fault. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The only place that reads environment variables. An empty variable counts as unset. Throws ConfigError. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const envValue = (name: string): string | undefined => env[name]?.trim() || undefined;

  /** `parse` returns undefined for an invalid value; `expected` describes valid ones. A `secret` value is never printed. */
  function read<T, D>(
    name: string,
    fallback: D,
    parse: (value: string) => T | undefined,
    expected: string,
    secret = false,
  ): T | D {
    const value = envValue(name);
    if (value === undefined) return fallback;
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    faults.push(`${name} ${secret ? 'is invalid' : `is ${JSON.stringify(value)}`}: it must be ${expected}.`);
    return fallback;
  }

  /** Reads two variables of which either both or neither must be set. */
  function pair<T>(
    first: string,
    second: string,
    readOne: (name: string) => T | undefined,
  ): [T, T] | undefined {
    const values = [readOne(first), readOne(second)] as const;
    if ((envValue(first) === undefined) !== (envValue(second) === undefined)) {
      const [set, missing] = envValue(first) === undefined ? [second, first] : [first, second];
      faults.push(`${missing} is missing: ${set} is set, and both are required together.`);
    }
    return values[0] !== undefined && values[1] !== undefined ? [values[0], values[1]] : undefined;
  }

  const host = read('HOST', '127.0.0.1', hostName, 'an IP address or a host name');
  const port = read('PORT', 3000, wholeNumber(0, 65535), 'a port from 0 (any free one) to 65535');
  const trustProxy = read('TRUST_PROXY', undefined, proxies, proxiesExpected);
  const tlsFiles = pair('TLS_CERT_FILE', 'TLS_KEY_FILE', (name) =>
    read(name, undefined, readableFile, 'the path of a readable file'),
  );
  const tls = tlsFiles && { certFile: tlsFiles[0], keyFile: tlsFiles[1] };
  const tlsFault = tls && secureContextFault(tls.certFile, tls.keyFile);
  if (tlsFault) faults.push(`TLS_CERT_FILE and TLS_KEY_FILE do not work together: ${tlsFault}.`);
  const wantsTls = envValue('TLS_CERT_FILE') !== undefined || envValue('TLS_KEY_FILE') !== undefined;
  if (!wantsTls && envValue('TRUST_PROXY') === undefined && !isLoopback(host)) {
    faults.push(
      `HOST is "${host}": plain HTTP is served on loopback (127.0.0.1) only; elsewhere set TLS_CERT_FILE ` +
        'and TLS_KEY_FILE, or name the proxy in front of it in TRUST_PROXY.',
    );
  }

  const urls = pair('DATABASE_URL', 'SANDBOX_DATABASE_URL', (name) =>
    read(name, undefined, postgresUrl, 'postgres://user:password@host:port/database', true),
  );
  if (urls && databaseOf(urls[0]) === databaseOf(urls[1])) {
    faults.push('SANDBOX_DATABASE_URL names the same database as DATABASE_URL: it must be a different one.');
  }
  const isExternal = envValue('DATABASE_URL') !== undefined || envValue('SANDBOX_DATABASE_URL') !== undefined;
  const databases = urls && { production: urls[0], sandbox: urls[1] };

  const secretKey = read('SECRET_KEY', undefined, key, `${keyExpected}`, true);
  if (isExternal && envValue('SECRET_KEY') === undefined) {
    faults.push(`SECRET_KEY is missing: DATABASE_URL requires it. It must be ${keyExpected}.`);
  }

  // The embedded server has 100 connections for both pools, the operator's commands and the listeners.
  const maxConnections = isExternal ? 1000 : 40;
  const databasePoolSize = read(
    'DATABASE_POOL_SIZE',
    10,
    wholeNumber(1, maxConnections),
    `a whole number from 1 to ${maxConnections}`,
  );

  const allowPrivate = read('WEBHOOK_ALLOW_PRIVATE', 'false', oneOf(['true', 'false']), 'true or false');

  const inboundStorageMib = read(
    'INBOUND_STORAGE_MIB',
    1024,
    wholeNumber(1, 1_000_000),
    'a whole number from 1 to 1000000',
  );

  const rateLimits = { ...rateLimitDefaults };
  const variables = new Map<string, RateLimitName>();
  for (const name of Object.keys(rateLimitDefaults) as RateLimitName[]) {
    const variable = `RATE_LIMIT_${name.replace(/[A-Z]/, '_$&').toUpperCase()}`;
    variables.set(variable, name);
    rateLimits[name] = read(variable, rateLimits[name], wholeNumber(1, 1e9), 'a whole number from 1');
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith('RATE_LIMIT_') || variables.has(name)) continue;
    faults.push(`${name} is unknown: the valid names are ${[...variables.keys()].join(', ')}.`);
  }

  const config: Config = {
    role: read('ROLE', 'all', oneOf(roles), `one of ${roles.join(', ')}`),
    host,
    port,
    publicUrl:
      read('PUBLIC_URL', undefined, publicUrl, 'an http:// or https:// address without ?, # and password') ??
      (port === 0 ? undefined : defaultPublicUrl({ host, tls }, port)),
    dataDir: resolve(envValue('DATA_DIR') ?? '.data'),
    databases,
    databasePoolSize,
    secretKey,
    tls,
    trustProxy,
    logLevel: read('LOG_LEVEL', 'info', oneOf(logLevels), `one of ${logLevels.join(', ')}`),
    rateLimits,
    targetRules: { allowPrivate: allowPrivate === 'true' },
    inboundStorage: inboundStorageMib * 2 ** 20,
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return config;
}

/** Default of PUBLIC_URL. Clients can't call a wildcard address, so it becomes localhost. */
export function defaultPublicUrl({ host, tls }: Pick<Config, 'host' | 'tls'>, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return new URL(`${tls ? 'https' : 'http'}://${name}:${port}`).origin;
}
