import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface TargetRules {
  /** Lets plain HTTP and addresses of this machine and its network pass. For development. */
  readonly allowPrivate: boolean;
}

/**
 * What the address of a webhook must be and is not, to a person; undefined when it may be called. A name may mean any
 * address, so what it resolves to is checked when a connection is made.
 */
export function checkUrl(text: string, { allowPrivate }: TargetRules): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL such as https://example.com/hooks';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.protocol === 'http:' && !allowPrivate) return 'must begin with https://, not http://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (allowPrivate || isPublicHost(url)) return undefined;
  return 'must point to a public address, not to this machine or a private network';
}

/** URL.parse() has already turned every way to write an IPv4 address, such as 2130706433, into the usual one. */
function isPublicHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return !/(^|\.)localhost\.?$/.test(host);
}

/**
 * False for loopback, private, link-local, metadata, multicast and reserved addresses, and for IPv6 addresses that stand
 * for an IPv4 address (mapped, NAT64, 6to4, Teredo), whichever that is.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6 only 2000::/3 has been given out; ::7f00:1 lies outside of it, for instance.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}
