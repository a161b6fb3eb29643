import { accessSync, constants, readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

export function hostName(value: string): string | undefined {
  return isIP(value) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) ? value.toLowerCase() : undefined;
}

export function wholeNumber(least: number, most: number): (value: string) => number | undefined {
  return (value) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  };
}

export function oneOf<T extends string>(allowed: readonly T[]): (value: string) => T | undefined {
  return (value) => allowed.find((candidate) => candidate === value);
}

export function publicUrl(value: string): string | undefined {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || /[?#]/.test(value)) return undefined;
  return url.username || url.password ? undefined : url.href.replace(/\/+$/, '');
}

export const proxiesExpected =
  'a number of hops (1 to 100), or addresses and subnets like "10.0.0.1, 10.1.0.0/16, loopback"';

/** Anything that trusts everyone (`true`, a subnet of length 0) would let clients forge their address. */
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
    accessSync(path, constants.R_OK);
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

/** An empty host (a Unix socket, `postgres://user@/name?host=/run`) is right for pg but not for URL. */
function parsePostgresUrl(value: string): URL | null {
  return URL.parse(value.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1localhost/'));
}

export function postgresUrl(value: string): string | undefined {
  const url = parsePostgresUrl(value);
  return url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1 ? value : undefined;
}

/** Which database an address means, whoever logs in to it. */
export function databaseOf(value: string): string {
  const url = parsePostgresUrl(value);
  if (!url) return value;
  const host = url.searchParams.get('host') ?? url.hostname;
  return `${host}:${url.searchParams.get('port') ?? (url.port || '5432')}${url.pathname}`.toLowerCase();
}

export const keyExpected =
  '32 random bytes in base64 or hexadecimal, as `openssl rand -base64 32` makes them';

export function key(value: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(value) ? Buffer.from(value, 'base64') : undefined;
}
