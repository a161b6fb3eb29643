import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Environment } from '../environment.ts';

export interface TargetRules {
  /** Allows plain HTTP, and addresses of this machine and its network. For development. */
  readonly allowPrivate: boolean;
  /** Allows names and addresses of this machine's loopback, over plain HTTP too. In the sandbox only. */
  readonly allowLoopback?: boolean;
}

/** The rules of an environment: production never sends to the loopback of its own machine. */
export function targetRulesIn(environment: Environment, rules: TargetRules): Required<TargetRules> {
  return { ...rules, allowLoopback: environment === 'sandbox' && rules.allowLoopback === true };
}

const WHITE_SPACE = /[\s\p{C}]/u;
/** Absolute URL with an authority (RFC 3986), by its characters. */
const ABSOLUTE =
  /^[a-z][a-z\d+.-]*:\/\/([\w.~!$&'()*+,;=:@-]|\[[\da-f:.]+\]|%[\da-f]{2})+(\/([\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?(\?([\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(#([\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;
/** URL with a port, and URL with a user name or password. */
const PORT = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/;
const USER = /^[^/]*\/\/[^/?#]*@/;
const NAME = /^([a-z\d_-]{1,63}\.)+[a-z\d_-]{1,63}$/;
/** Reserved for private networks by RFC 6761, RFC 6762, RFC 8375 and ICANN. */
const PRIVATE_NAME = /(^|\.)(localhost|local|home\.arpa|internal)$/;
/** Azure's metadata service, the only one with an address in a public range. */
const METADATA = '168.63.129.16';

/**
 * Checks the URL of a webhook. Returns a message that says what it must be, or undefined if it is valid. A name may resolve
 * to any address, so addresses are checked when connecting.
 *
 * URL.parse() drops or encodes white space and control characters, and treats a backslash as a slash: it would accept text
 * that is not a URL. So the text itself is checked first.
 */
export function checkUrl(
  text: string,
  { allowPrivate, allowLoopback = false }: TargetRules,
): string | undefined {
  if (WHITE_SPACE.test(text)) return 'must not contain white space or control characters';
  const port = Number(PORT.exec(text)?.[1] ?? 1);
  if (port < 1 || port > 65_535) return 'must have a port from 1 to 65535, or none';
  const url = ABSOLUTE.test(text) ? URL.parse(text) : null;
  if (url === null) {
    return 'must be an absolute URL such as https://example.com/hooks; percent-encode characters that are not allowed in URLs';
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  const isLoopback = allowLoopback && isLoopbackHost(url.hostname);
  if (url.protocol === 'http:' && !allowPrivate && !isLoopback)
    return 'must begin with https://, not http://';
  if (USER.test(text)) return 'must not contain a user name or a password';
  return allowPrivate || isLoopback ? undefined : checkHost(url.hostname);
}

/** URL.parse() has already normalized every notation of IPv4 addresses, such as 2130706433. */
function checkHost(hostname: string): string | undefined {
  const host = bare(hostname);
  const isAddress = isIP(host) !== 0;
  if (isAddress ? !isPublicAddress(host) : PRIVATE_NAME.test(host)) {
    return 'must point to a public address, not to this machine or a private network';
  }
  return isAddress || NAME.test(host) ? undefined : 'must have a public name such as hooks.example.com';
}

/** Without the brackets of an IPv6 address, and without the dot at the end of a name. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** `localhost`, or an address of the loopback. Other names may not lead to it: anyone can point a name to any address. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname).toLowerCase();
  return isIP(host) === 0 ? host === 'localhost' : isLoopbackAddress(host);
}

export function isLoopbackAddress(address: string): boolean {
  return ipaddr.parse(address).range() === 'loopback';
}

/**
 * False for loopback, private, link-local, metadata, multicast and reserved addresses, and for all IPv6 addresses that embed
 * an IPv4 address (mapped, NAT64, 6to4, Teredo), even a public one.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.toString() === METADATA) return false;
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6, only 2000::/3 is allocated for unicast; ::7f00:1, for example, lies outside.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}
