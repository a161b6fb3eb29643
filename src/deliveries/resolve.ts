import { promises as dns, type LookupAddress, NODATA, NOTFOUND } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** The name servers may take this long, all tries together (milliseconds). */
const TIMEOUT = 5_000;
/** Each of the two tries of a server, of which the second takes twice as long (milliseconds). */
const TRY_TIMEOUT = 1_500;

export interface ResolveOptions {
  /** `address:port`; those of the system unless given. */
  servers?: readonly string[];
  hostsFile?: string;
  timeout?: number;
}

/**
 * Finds the addresses of a name: in the hosts file, else at the name servers. Not by dns.lookup(), which has the system
 * do it in one of libuv's four threads and can't give up: four names whose servers hang would stop all other look-ups.
 */
export function createResolve({
  servers,
  hostsFile = '/etc/hosts',
  timeout = TIMEOUT,
}: ResolveOptions = {}): Resolve {
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    const known = findInFile(hostsFile, name);
    if (known.length > 0) return known;
    if (/(^|\.)localhost$/.test(name)) return loopback;
    // One of its own for each name: it can be cut short alone, and knows the servers that the system has now.
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

/** RFC 6761 section 6.3: no name server is asked for it. */
const loopback = ['127.0.0.1', '::1'].map(toAddress);

/** Read each time, so that a change is seen, and at once: the threads that could read it may all be busy. */
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

/** As dns.lookup() tells it: there is no such name, or nobody could say. */
function failure(answers: readonly PromiseSettledResult<unknown>[]): Error {
  const isUnknown = answers.every(
    (answer) => answer.status === 'rejected' && [NODATA, NOTFOUND].includes(answer.reason.code),
  );
  const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`The look-up failed: ${code}`), { code });
}
