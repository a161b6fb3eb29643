import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress, isLoopbackHost, isPublicAddress, type TargetRules } from '../webhooks/target.ts';
import { createResolve, type ResolveHost } from './resolve.ts';

/**
 * Resolves a host name and rejects it if any of its addresses is forbidden. The connection uses exactly these addresses,
 * which prevents DNS rebinding. For connections with `autoSelectFamily`, which ask for all addresses.
 *
 * Concurrent lookups of a name share one query.
 */
export function createLookup(
  { allowPrivate, allowLoopback = false }: TargetRules,
  resolve: ResolveHost = createResolve(),
): LookupFunction {
  const pending = new Map<string, Promise<LookupAddress[]>>();

  async function find(host: string): Promise<LookupAddress[]> {
    const addresses = pending.get(host) ?? resolve(host).finally(() => pending.delete(host));
    pending.set(host, addresses);
    const found = await addresses;
    const isAllowed = allowLoopback && isLoopbackHost(host) ? isLoopbackAddress : isPublicAddress;
    if (!allowPrivate && !found.every(({ address }) => isAllowed(address))) throw new ForbiddenAddress();
    return found;
  }

  return (host, _options, done) => {
    find(host).then(
      (found) => done(null, found),
      (error) => done(error, []),
    );
  };
}

class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
  override message = 'The host name resolves to an address that is not public.';
}
