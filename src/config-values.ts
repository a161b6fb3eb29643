import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { type Environment, environments } from './environment.ts';
import { isCountry } from './spellings/phone.ts';

/** Requests per minute; `badSecret` per five minutes. The contract documents these defaults. */
export const rateLimitDefaults = {
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
};

export function isLoopback(host: string): boolean {
  return isIP(host) ? ipaddr.process(host).range() === 'loopback' : host === 'localhost';
}

export function hostName(value: string): string | undefined {
  return isIP(value) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) ? value.toLowerCase() : undefined;
}

export function country(value: string): string | undefined {
  return isCountry(value) ? value : undefined;
}

export function wholeNumber(min: number, max: number): (value: string) => number | undefined {
  return (value) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
}

export function fraction(value: string): number | undefined {
  const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
  return number <= 1 ? number : undefined;
}

export function choice<T extends string>(allowed: readonly T[]): (value: string) => T | undefined {
  return (value) => allowed.find((candidate) => candidate === value);
}

export function environmentList(value: string): Environment[] | undefined {
  const names = value.split(',').map((name) => name.trim());
  const listed = environments.filter((environment) => names.includes(environment));
  return listed.length === names.length ? listed : undefined;
}

export function publicUrl(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(value)) return undefined;
  return url.username || url.password ? undefined : url.href.replace(/(?<!\/)\/+$/, '');
}

/** Default of PUBLIC_URL. Clients can't call a wildcard address, so it becomes localhost. */
export function defaultPublicUrl({ host, tls }: { host: string; tls?: object | undefined }, port: number) {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return new URL(`${tls ? 'https' : 'http'}://${name}:${port}`).origin;
}

export const portExpected = 'a port from 0 (any free one) to 65535';

/** Whether a process can't listen on both addresses. A wildcard includes all other hosts, and `localhost` is one of the loopback's. */
export function overlap(
  one: { host: string; port: number | undefined },
  other: { host: string; port: number | undefined },
): boolean {
  const hosts = [one.host, other.host];
  const isSameHost =
    one.host === other.host ||
    (hosts.every(isLoopback) && hosts.includes('localhost')) ||
    hosts.some((host) => ['0.0.0.0', '::'].includes(host));
  return one.port === other.port && one.port !== 0 && isSameHost;
}

export const proxiesExpected =
  'a number of hops (1 to 100), or addresses and subnets like "10.0.0.1, 10.1.0.0/16, loopback"';

/** Rejects values that trust every peer (`true`, a /0 subnet), since clients could then forge their address. */
export function proxies(value: string): number | string[] | undefined {
  if (/^\d+$/.test(value)) return wholeNumber(1, 100)(value);
  const entries = value.split(',').map((entry) => entry.trim());
  const valid = entries.every((entry) => {
    if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
    const [address = '', length, ...rest] = entry.split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
    return (
      bits > 0 && rest.length === 0 && (length === undefined || wholeNumber(1, bits)(length) !== undefined)
    );
  });
  return valid ? entries : undefined;
}

export function readableFile(value: string): string | undefined {
  try {
    const path = resolve(value);
    readFileSync(path);
    return path;
  } catch {
    return undefined;
  }
}

export function secureContextFault(certFile: string, keyFile: string): string | undefined {
  try {
    createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** pg accepts an empty host (a Unix socket, `postgres://user@/name?host=/run`); URL does not. */
function parsePostgresUrl(value: string): URL | null {
  return URL.parse(value.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1localhost/'));
}

export function postgresUrl(value: string): string | undefined {
  const url = parsePostgresUrl(value);
  return url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1 ? value : undefined;
}

/** Parameters by which libpq chooses a server. The driver ignores them. */
const choosing = ['target_session_attrs', 'load_balance_hosts', 'hostaddr'];

/** Says what is wrong with a URL that names several servers. The driver accepts only one. */
export function serverChoiceFault(value: string): string | undefined {
  const [, authority = '', query = ''] = /^\w+:\/\/([^/?]*)[^?]*\??(.*)$/s.exec(value) ?? [];
  const parameters = new URLSearchParams(query);
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if ([hosts, parameters.get('host'), parameters.get('port')].some((part) => part?.includes(','))) {
    return (
      'names several hosts, and the service takes one: put HAProxy or PgBouncer in front of the servers, and name its ' +
      'address. docs/postgresql.md says how it follows a failover.'
    );
  }
  const parameter = choosing.find((name) => parameters.has(name));
  if (parameter === undefined) return undefined;
  return (
    `has the parameter ${parameter}, which the service does not take: it checks itself that DATABASE_URL leads to the ` +
    'primary, and DATABASE_REPLICA_URL to a standby. Remove the parameter.'
  );
}

/** Identifies the database of a connection URL, regardless of the user. */
export function databaseOf(value: string): string {
  return placeOf(value).toLowerCase();
}

/** The host, port and name in a connection URL, without user and password. */
export function placeOf(value: string): string {
  const url = parsePostgresUrl(value);
  if (!url) return 'an invalid URL';
  const host = url.searchParams.get('host') ?? url.hostname;
  return `${host}:${url.searchParams.get('port') ?? (url.port || '5432')}${url.pathname}`;
}

/** The name of the database in a connection URL. */
export function postgresDatabase(value: string): string {
  return decodeURIComponent(parsePostgresUrl(value)?.pathname.slice(1) ?? '');
}

export const redisExpected = 'redis://user:password@host:port/number, or rediss:// for TLS';

export function redisUrl(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname) return undefined;
  const isDecodable = !/%(?![0-9a-f]{2})/i.test(value);
  return isDecodable && /^(\/\d*)?$/.test(url.pathname) ? value : undefined;
}

export const keyExpected =
  '32 random bytes in base64 or hexadecimal, as generated by `openssl rand -base64 32`';

export function key(value: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(value) ? Buffer.from(value, 'base64') : undefined;
}
