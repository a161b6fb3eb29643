import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface TargetRules {
  /** Lets plain HTTP and addresses of this machine and its network pass. For development. */
  readonly allowPrivate: boolean;
}

const WHITE_SPACE = /[\s\p{C}]/u;
/** An absolute URL with an authority (RFC 3986), by its characters. */
const ABSOLUTE =
  /^[a-z][a-z\d+.-]*:\/\/([\w.~!$&'()*+,;=:@-]|\[[\da-f:.]+\]|%[\da-f]{2})+(\/([\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?(\?([\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(#([\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;
/** Where a port is written, and a user name and password are. */
const PORT = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/;
const USER = /^[^/]*\/\/[^/?#]*@/;
const NAME = /^([a-z\d_-]{1,63}\.)+[a-z\d_-]{1,63}$/;
/** Kept for private networks by RFC 6761, RFC 6762, RFC 8375 and ICANN. */
const PRIVATE_NAME = /(^|\.)(localhost|local|home\.arpa|internal)$/;
/** Azure's metadata service, the one of its kind whose address lies among the public ones. */
const METADATA = '168.63.129.16';

/**
 * What the address of a webhook must be and is not, to a person; undefined when it may be called. A name may mean any
 * address, so what it resolves to is checked when a connection is made.
 *
 * URL.parse() drops white space and control characters or encodes them, and takes a backslash for a slash: it would
 * find a URL where there is none. So the text itself is checked first.
 */
export function checkUrl(text: string, { allowPrivate }: TargetRules): string | undefined {
  if (WHITE_SPACE.test(text)) return 'must not contain white space or control characters';
  const port = Number(PORT.exec(text)?.[1] ?? 1);
  if (port < 1 || port > 65_535) return 'must have a port from 1 to 65535, or none';
  const url = ABSOLUTE.test(text) ? URL.parse(text) : null;
  if (url === null) {
    return 'must be an absolute URL such as https://example.com/hooks; percent-encode characters that no URL may hold';
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.protocol === 'http:' && !allowPrivate) return 'must begin with https://, not http://';
  if (USER.test(text)) return 'must not hold a user name or a password';
  return allowPrivate ? undefined : checkHost(url.hostname);
}

/** URL.parse() has already turned every way to write an IPv4 address, such as 2130706433, into the usual one. */
function checkHost(hostname: string): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const isAddress = isIP(host) !== 0;
  if (isAddress ? !isPublicAddress(host) : PRIVATE_NAME.test(host)) {
    return 'must point to a public address, not to this machine or a private network';
  }
  return isAddress || NAME.test(host) ? undefined : 'must have a public name such as hooks.example.com';
}

/**
 * False for loopback, private, link-local, metadata, multicast and reserved addresses, and for IPv6 addresses that stand
 * for an IPv4 address (mapped, NAT64, 6to4, Teredo), whichever that is.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.toString() === METADATA) return false;
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6 only 2000::/3 has been given out; ::7f00:1 lies outside of it, for instance.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}
