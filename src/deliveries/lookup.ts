import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createResolve, type Resolve } from './resolve.ts';
import { isPublicAddress, type TargetRules } from './target.ts';

/**
 * Finds the addresses of a name and refuses it when one of them may not be called. A connection is made to these very
 * addresses, so there is no moment at which the name could come to mean another one.
 *
 * A name is asked for once at a time, however many connections to it are wanted at that moment.
 */
export function createLookup(
  { allowPrivate }: TargetRules,
  resolve: Resolve = createResolve(),
): LookupFunction {
  const asked = new Map<string, Promise<LookupAddress[]>>();

  async function find(host: string): Promise<LookupAddress[]> {
    const asking = asked.get(host) ?? resolve(host).finally(() => asked.delete(host));
    asked.set(host, asking);
    const found = await asking;
    if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
      throw new ForbiddenAddress();
    return found;
  }

  return (host, { all, family }, done) => {
    find(host)
      .then((found) =>
        found.filter((one) => !family || family === one.family || family === `IPv${one.family}`),
      )
      .then(
        (found) => {
          const [first] = found;
          if (first === undefined) done(new Error(`${host} has no address.`), '', 0);
          else if (all) done(null, found);
          else done(null, first.address, first.family);
        },
        (error) => done(error, '', 0),
      );
  };
}

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
  override message = 'The name does not mean public addresses only.';
}
