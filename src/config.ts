import { resolve } from 'node:path';
import { findMisspelt, findUnknownLimits, rateLimitVariable } from './config-names.ts';
import {
  choice,
  country,
  databaseOf,
  defaultPublicUrl,
  environmentList,
  fraction,
  hostName,
  isLoopback,
  key,
  keyExpected,
  overlap,
  portExpected,
  postgresUrl,
  proxies,
  proxiesExpected,
  publicUrl,
  rateLimitDefaults,
  readableFile,
  redisExpected,
  redisUrl,
  secureContextFault,
  serverChoiceFault,
  wholeNumber,
} from './config-values.ts';
import { type Environment, environments } from './environment.ts';

const rateLimitNames = Object.keys(rateLimitDefaults) as (keyof typeof rateLimitDefaults)[];

export type Config = ReturnType<typeof loadConfig>;

/** Its message has one line per fault. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The only place that reads environment variables. An empty variable counts as unset. Throws ConfigError. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const faults: string[] = [];
  const known = new Set<string>();
  const envValue = (name: string) => known.add(name) && (env[name]?.trim() || undefined);
  const isSet = (name: string) => envValue(name) !== undefined;

  /** `parse` returns undefined for an invalid value; `expected` describes valid values. A `secret` value is never printed. */
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

  function readNumber(name: string, fallback: number, min: number, max: number): number {
    return read(name, fallback, wholeNumber(min, max), `a whole number from ${min} to ${max}`);
  }

  function readChoice<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    return read(name, fallback, choice(choices), `one of ${choices.join(', ')}`);
  }

  /** Reads two variables that must be set together. */
  function pair<T>(
    first: string,
    second: string,
    readOne: (name: string) => T | undefined,
  ): [T, T] | undefined {
    const [one, other] = [readOne(first), readOne(second)];
    if (isSet(first) !== isSet(second)) {
      const [set, missing] = isSet(first) ? [first, second] : [second, first];
      faults.push(`${missing} is missing: ${set} is set, and both are required together.`);
    }
    return one !== undefined && other !== undefined ? [one, other] : undefined;
  }

  const host = read('HOST', '127.0.0.1', hostName, 'an IP address or a host name');
  const port = read('PORT', 3000, wholeNumber(0, 65535), portExpected);
  const trustProxy = read('TRUST_PROXY', undefined, proxies, proxiesExpected);
  const tlsFiles = pair('TLS_CERT_FILE', 'TLS_KEY_FILE', (name) =>
    read(name, undefined, readableFile, 'the path of a readable file'),
  );
  const tls = tlsFiles && { certFile: tlsFiles[0], keyFile: tlsFiles[1] };
  const tlsFault = tls && secureContextFault(tls.certFile, tls.keyFile);
  if (tlsFault) faults.push(`TLS_CERT_FILE and TLS_KEY_FILE do not work together: ${tlsFault}.`);
  const isSecured = ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TRUST_PROXY'].some(isSet);
  if (!isSecured && !isLoopback(host)) {
    faults.push(
      `HOST is "${host}": plain HTTP is served on loopback (127.0.0.1) only; elsewhere set TLS_CERT_FILE ` +
        'and TLS_KEY_FILE, or name the proxy in front of it in TRUST_PROXY.',
    );
  }

  const metricsHost = read('METRICS_HOST', '127.0.0.1', hostName, 'an IP address or a host name');
  const metricsPort = read('METRICS_PORT', undefined, wholeNumber(0, 65535), portExpected);
  if (isSet('METRICS_HOST') && !isSet('METRICS_PORT')) {
    faults.push('METRICS_PORT is missing: METRICS_HOST is set, and has no effect without it.');
  }

  if (overlap({ host, port }, { host: metricsHost, port: metricsPort }) && envValue('ROLE') !== 'worker')
    faults.push(`METRICS_PORT and PORT are both ${port}: the metrics need a port of their own.`);

  const tracesEndpoint = read(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    undefined,
    publicUrl,
    'an http:// or https:// address',
  );
  const tracesShare = read('OTEL_TRACES_SAMPLER_ARG', 1, fraction, 'a number from 0 to 1');

  const run: readonly Environment[] = read(
    'ENVIRONMENTS',
    environments,
    environmentList,
    'production, sandbox or production,sandbox',
  );

  function databaseUrl(variable: string): string | undefined {
    const fault = serverChoiceFault(envValue(variable) ?? '');
    if (fault === undefined)
      return read(variable, undefined, postgresUrl, 'postgres://user:password@host:port/database', true);
    faults.push(`${variable} ${fault}`);
    return undefined;
  }

  /** Reads a URL for each environment that this process runs. If one is set, all are required. */
  function databaseUrls(name: string): Partial<Record<Environment, string>> | undefined {
    const variables = { production: name, sandbox: `SANDBOX_${name}` };
    const [set] = Object.values(variables).filter(isSet);
    if (set === undefined) return undefined;
    const urls: Partial<Record<Environment, string>> = {};
    for (const environment of run) {
      const variable = variables[environment];
      urls[environment] = databaseUrl(variable);
      if (isSet(variable)) continue;
      const why = run.length > 1 ? 'both are required together' : `ENVIRONMENTS is ${environment}`;
      faults.push(`${variable} is missing: ${set} is set, and ${why}.`);
    }
    const { production, sandbox } = urls;
    if (production !== undefined && sandbox !== undefined && databaseOf(production) === databaseOf(sandbox)) {
      faults.push(
        `${variables.sandbox} names the same database as ${variables.production}: it must be a different one.`,
      );
    }
    return urls;
  }

  const databases = databaseUrls('DATABASE_URL');
  const directDatabases = databaseUrls('DATABASE_DIRECT_URL');
  const replicas = databaseUrls('DATABASE_REPLICA_URL');
  const isExternal = ['DATABASE_URL', 'SANDBOX_DATABASE_URL'].some(isSet);
  if (replicas && !isExternal) {
    faults.push('DATABASE_REPLICA_URL is set without DATABASE_URL: it is a replica of that database.');
  }
  if (directDatabases && !isExternal) {
    faults.push(
      'DATABASE_DIRECT_URL is set without DATABASE_URL: it is the way around the pooler in DATABASE_URL.',
    );
  }
  const [secretKey, ...otherKeys] = ['SECRET_KEY', 'SECRET_KEY_OTHER'].flatMap(
    (name) => read(name, undefined, key, keyExpected, true) ?? [],
  );
  if ((isExternal || isSet('SECRET_KEY_OTHER')) && !isSet('SECRET_KEY')) {
    const why = `${isExternal ? 'DATABASE_URL' : 'SECRET_KEY_OTHER'} requires it`;
    faults.push(`SECRET_KEY is missing: ${why}. It must be ${keyExpected}.`);
  }

  const yesOrNo = [choice(['true', 'false']), 'true or false'] as const;
  const preparedStatements = read('DATABASE_PREPARED_STATEMENTS', undefined, ...yesOrNo);
  const allowPrivate = read('WEBHOOK_ALLOW_PRIVATE', 'false', ...yesOrNo);

  const rateLimits = { ...rateLimitDefaults };
  for (const name of rateLimitNames) {
    rateLimits[name] = readNumber(rateLimitVariable(name), rateLimits[name], 1, 1_000_000_000);
  }
  faults.push(...findUnknownLimits(env, rateLimitNames));

  const role = readChoice('ROLE', 'all', ['all', 'api', 'worker']);
  // A worker can't know where the processes listen that it works for. Behind a proxy, others reach it.
  const isReached = trustProxy !== undefined || isSet('PUBLIC_URL');
  const isOnLoopbackOnly = role === 'all' && isLoopback(host) && !isReached;

  const config = {
    /** What this process does: `api` serves requests, `worker` delivers webhooks and imports files, `all` does both. */
    role,
    /** The environments that this process runs. Production comes first. */
    environments: run,
    host,
    /** 0 means any free port. */
    port,
    /** Without a trailing slash. Undefined if it depends on a port that is not chosen yet (PORT=0). */
    publicUrl:
      read('PUBLIC_URL', undefined, publicUrl, 'an http:// or https:// address without ?, # and password') ??
      (port === 0 ? undefined : defaultPublicUrl({ host, tls }, port)),
    /** Address of the metrics. Undefined: they are not served. */
    metrics: metricsPort === undefined ? undefined : { host: metricsHost, port: metricsPort },
    /** Share of the traces started by this process that are sent. Undefined: none. */
    traces: tracesEndpoint === undefined ? undefined : { share: tracesShare },
    dataDir: resolve(envValue('DATA_DIR') ?? '.data'),
    /** Undefined: use the embedded server. */
    databases,
    /** URLs of the same databases that bypass a pooler. */
    directDatabases,
    /** Streaming replicas of the same databases. */
    replicas,
    /** Undefined: yes, unless there is a pooler. */
    preparedStatements: preparedStatements === undefined ? undefined : preparedStatements === 'true',
    // The embedded server has 100 connections for both pools, exports, the operator's commands and the listeners.
    databasePoolSize: readNumber('DATABASE_POOL_SIZE', 10, 1, isExternal ? 1000 : 40),
    /** How long a start waits for an external database. Milliseconds. */
    databaseWait: readNumber('DATABASE_WAIT_SECONDS', 60, 0, 3_600) * 1_000,
    /** Undefined: use the key stored in dataDir. */
    secretKey: secretKey && ([secretKey, ...otherKeys] as const),
    tls,
    /** Value of Express's `trust proxy`: a number of hops, or addresses. */
    trustProxy,
    /** Whether systemd waits until the process says that it is ready. */
    notifiesSystemd: isSet('NOTIFY_SOCKET'),
    logLevel: readChoice('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    rateLimits,
    /** The Redis in which all processes count requests. Undefined: each process counts by itself. */
    redisUrl: read('REDIS_URL', undefined, redisUrl, redisExpected, true),
    /** Which addresses webhooks may point to. */
    targetRules: { allowPrivate: allowPrivate === 'true', allowLoopback: isOnLoopbackOnly },
    /** Maximum total size of stored inbound payloads, per environment. Bytes. */
    inboundStorage: readNumber('INBOUND_STORAGE_MIB', 1024, 1, 1_000_000) * 2 ** 20,
    /** Maximum total size of rows that imports keep, per environment. Bytes. */
    importStorage: readNumber('IMPORT_STORAGE_MIB', 4096, 4, 1_000_000) * 2 ** 20,
    /** ISO 3166-1 alpha-2: the country of national phone numbers, for imports and hooks that name none. */
    defaultCountry: read(
      'DEFAULT_COUNTRY',
      undefined,
      country,
      'the two letters of a country, such as DE or US',
    ),
    /** Maximum total size of stored responses to requests with an Idempotency-Key, per environment. Bytes. */
    idempotencyStorage: readNumber('IDEMPOTENCY_STORAGE_MIB', 8192, 4, 1_000_000) * 2 ** 20,
  };
  const warnings = findMisspelt(env, known);
  if (faults.length > 0) throw new ConfigError([...faults, ...warnings].join('\n'));
  return { ...config, warnings };
}
