import { Problem } from '../../problem.ts';

/** Releases what was taken. */
type Release = () => void;

/** Maximum time to wait for most shares. Milliseconds. */
const MAX_WAIT = 10_000;

/** How much may be used at the same time. A request for more waits until nothing else is used. */
interface Limit {
  perClient: number;
  /** By all clients together. */
  total?: number;
}

/** A kind of use, with a limit of its own. */
export interface UseLimit extends Limit {
  /** Maximum number of waiting requests per client. More are rejected. */
  maxWaiting?: number;
  /** Maximum time to wait. Milliseconds. */
  maxWait?: number;
  /** Message of the 503 if the client itself uses up its share. */
  clientIsBusy: string;
  /** Message of the 503 if other clients do. */
  othersAreBusy?: string;
  /** Seconds after which another attempt makes sense. */
  retryAfter?: number;
}

/** What is used. */
class Use<Kind extends string> {
  whole = 0;
  readonly #byKind = new Map<Kind, number>();

  add(kind: Kind, amount: number): void {
    this.whole += amount;
    this.#byKind.set(kind, this.of(kind) + amount);
  }

  of(kind: Kind): number {
    return this.#byKind.get(kind) ?? 0;
  }
}

interface Client<Kind extends string> {
  used: Use<Kind>;
  /** How many of its requests hold something. */
  holders: number;
  /** In the order of arrival. An array, because V8's minor collections can't free what was deleted from a Set. */
  waiting: Waiting<Kind>[];
}

interface Waiting<Kind extends string> {
  kind: Kind;
  amount: number;
  start: (held: Held) => void;
}

interface TakeOptions {
  amount?: number;
  /** Maximum time to wait. Milliseconds. */
  timeout?: number;
  /** Ignores `maxWaiting`, because the request was admitted before. */
  isAdmitted?: boolean;
}

/** A part of a share that a request holds. */
export interface Held {
  /** Takes more or gives some back, even if that exceeds the limits: for what can no longer be prevented. */
  resize(amount: number): void;
  release: Release;
}

export type FairShare<Kind extends string> = ReturnType<typeof createFairShare<Kind>>;

const fits = (used: number, amount: number, limit = Number.POSITIVE_INFINITY) =>
  used === 0 || used + amount <= limit;

/**
 * Divides a scarce resource among clients. A client that uses up its share waits alone. Waiting clients take turns. `whole`
 * limits all kinds of use together.
 */
export function createFairShare<Kind extends string>(kinds: Record<Kind, UseLimit>, whole?: Limit) {
  /** Clients that use or wait for something. The client whose turn is next comes first. */
  const clients = new Map<string, Client<Kind>>();
  const used = new Use<Kind>();
  let waitingCount = 0;

  const fitsClient = (client: Client<Kind>, kind: Kind, amount: number) =>
    fits(client.used.of(kind), amount, kinds[kind].perClient) &&
    fits(client.used.whole, amount, whole?.perClient);
  const fitsTotal = (kind: Kind, amount: number) =>
    fits(used.of(kind), amount, kinds[kind].total) && fits(used.whole, amount, whole?.total);

  function grant(name: string, client: Client<Kind>, kind: Kind, amount: number): Held {
    let held = 0;
    let isHeld = true;
    client.holders += 1;
    const resize = (wanted: number) => {
      if (!isHeld) return;
      client.used.add(kind, wanted - held);
      used.add(kind, wanted - held);
      const isFreed = wanted < held;
      held = wanted;
      if (isFreed && waitingCount > 0) serve();
    };
    resize(amount);
    return {
      resize,
      release() {
        resize(0);
        if (!isHeld) return;
        isHeld = false;
        client.holders -= 1;
        forgetIfIdle(name, client);
      },
    };
  }

  function forgetIfIdle(name: string, client: Client<Kind>): void {
    if (client.holders === 0 && client.waiting.length === 0) clients.delete(name);
  }

  function serve(): void {
    /** Small requests must not overtake a larger one of their kind forever. */
    const blocked = new Set<Kind>();
    // A client that is served moves to the end, so the loop comes back to it after all others.
    for (const [name, client] of clients) {
      const next = client.waiting.find(
        ({ kind, amount }) => !blocked.has(kind) && fitsClient(client, kind, amount),
      );
      if (next === undefined) continue;
      const { kind, amount } = next;
      if (!fitsTotal(kind, amount)) {
        blocked.add(kind);
        continue;
      }
      client.waiting.splice(client.waiting.indexOf(next), 1);
      waitingCount -= 1;
      clients.delete(name);
      clients.set(name, client);
      next.start(grant(name, client, kind, amount));
    }
  }

  function refusal(client: Client<Kind>, kind: Kind, amount: number): Problem {
    const { clientIsBusy, othersAreBusy = clientIsBusy, retryAfter } = kinds[kind];
    const message = fitsClient(client, kind, amount) ? othersAreBusy : clientIsBusy;
    if (retryAfter === undefined) return new Problem('unavailable', message);
    return new Problem('unavailable', message, { headers: { 'Retry-After': String(retryAfter) } });
  }

  function wait(
    name: string,
    client: Client<Kind>,
    { kind, amount, timeout }: { kind: Kind; amount: number; timeout: number },
  ): Promise<Held> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Kind> = {
        kind,
        amount,
        start(held) {
          clearTimeout(timer);
          resolve(held);
        },
      };
      const timer = setTimeout(() => {
        client.waiting.splice(client.waiting.indexOf(waiting), 1);
        waitingCount -= 1;
        reject(refusal(client, kind, amount));
        forgetIfIdle(name, client);
        // A request behind it may need less.
        serve();
      }, timeout);
      client.waiting.push(waiting);
      waitingCount += 1;
      clients.set(name, client);
      serve();
    });
  }

  return {
    /** Takes part of the client's share as soon as it is free. Throws 503 if that takes too long or too many wait. */
    take(
      name: string,
      kind: Kind,
      { amount = 1, timeout = MAX_WAIT, isAdmitted = false }: TakeOptions = {},
    ): Held | Promise<Held> {
      const client = clients.get(name) ?? { used: new Use<Kind>(), holders: 0, waiting: [] };
      const isFree = fitsClient(client, kind, amount) && fitsTotal(kind, amount);
      if (waitingCount === 0 && isFree) {
        clients.set(name, client);
        return grant(name, client, kind, amount);
      }
      const { maxWaiting = 0, maxWait = MAX_WAIT } = kinds[kind];
      // A request that fits need not be rejected: the waiting ones may only wait for their own clients' shares.
      if (!isFree && !isAdmitted && client.waiting.length >= maxWaiting) throw refusal(client, kind, amount);
      return wait(name, client, { kind, amount, timeout: Math.min(timeout, maxWait) });
    },
  };
}
