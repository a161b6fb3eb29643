import { promises as dns, type LookupAddress, NODATA, NOTFOUND } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** At least one address. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

/** Milliseconds for a lookup, all tries and name servers together. */
const TIMEOUT = 5_000;
/** Milliseconds for the first of two tries per name server; the second takes twice as long. */
const TRY_TIMEOUT = 1_500;

export interface ResolveOptions {
  /** `address:port`. Default: the system's name servers. */
  servers?: readonly string[];
  hostsFile?: string;
  /** Milliseconds. */
  timeout?: number;
}

/**
 * Resolves host names from the hosts file, otherwise from DNS. Not with dns.lookup(), which uses one of libuv's four threads
 * and can't be canceled: four names with hanging servers would block all other lookups.
 */
export function createResolve({
  servers,
  hostsFile = '/etc/hosts',
  timeout = TIMEOUT,
}: ResolveOptions = {}): ResolveHost {
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    const known = findInFile(hostsFile, name);
    if (known.length > 0) return known;
    if (/(^|\.)localhost$/.test(name)) return loopback;
    // A resolver per lookup can be canceled on its own, and uses the system's current name servers.
    const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeout);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0) throw failure(answers);
      return found.map(toAddress);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** RFC 6761 section 6.3: localhost names are never sent to name servers. */
const loopback = ['127.0.0.1', '::1'].map(toAddress);

/** Reads the file every time, to see changes, and synchronously, because libuv's threads may all be busy. */
function findInFile(file: string, name: string): LookupAddress[] {
  return read(file)
    .split('\n')
    .flatMap((line) => {
      const [address = '', ...names] = line.replace(/#.*/, '').toLowerCase().trim().split(/\s+/);
      return isIP(address) !== 0 && names.includes(name) ? [toAddress(address)] : [];
    });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function toAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

/** Codes as in dns.lookup(): ENOTFOUND if the name has no address, EAI_AGAIN if no server gave an answer. */
function failure(answers: readonly PromiseSettledResult<unknown>[]): Error {
  const isUnknown = answers.every(
    (answer) => answer.status === 'rejected' && [NODATA, NOTFOUND].includes(answer.reason.code),
  );
  const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`The lookup failed: ${code}`), { code });
}
