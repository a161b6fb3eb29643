import { Problem } from '../../problem.ts';

/** Releases what was taken. */
export type Release = () => void;

/** Maximum time to wait for most shares. Milliseconds. */
const MAX_WAIT = 10_000;

interface ShareOptions {
  /** Maximum that one client may use at the same time. A request for more waits until its client uses nothing else. */
  perClient: number;
  /** Maximum that all clients together may use. */
  total?: number;
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

interface Client {
  used: number;
  /** In the order of arrival. An array, because V8's minor collections can't free what was deleted from a Set. */
  waiting: Waiting[];
}

interface Waiting {
  amount: number;
  start: (release: Release) => void;
}

interface TakeOptions {
  amount?: number;
  /** Maximum time to wait. Milliseconds. */
  timeout?: number;
  /** Ignores `maxWaiting`, because the request was admitted before. */
  isAdmitted?: boolean;
}

export type FairShare = ReturnType<typeof createFairShare>;

/** Divides a scarce resource among clients. A client that uses up its share waits alone. Waiting clients take turns. */
export function createFairShare(options: ShareOptions) {
  const { perClient, total = Number.POSITIVE_INFINITY, maxWaiting = 0, maxWait = MAX_WAIT } = options;
  /** Clients that use or wait for something. The client whose turn is next comes first. */
  const clients = new Map<string, Client>();
  let used = 0;
  let waitingCount = 0;

  const fitsClient = (client: Client, amount: number) =>
    client.used === 0 || client.used + amount <= perClient;
  const fitsTotal = (amount: number) => used === 0 || used + amount <= total;

  function grant(name: string, client: Client, amount: number): Release {
    client.used += amount;
    used += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      client.used -= amount;
      used -= amount;
      forgetIfIdle(name, client);
      if (waitingCount > 0) serve();
    };
  }

  function forgetIfIdle(name: string, client: Client): void {
    if (client.used === 0 && client.waiting.length === 0) clients.delete(name);
  }

  function serve(): void {
    // A client that is served moves to the end, so the loop comes back to it after all others.
    for (const [name, client] of clients) {
      const [first] = client.waiting;
      if (first === undefined || !fitsClient(client, first.amount)) continue;
      // Small requests must not overtake it forever.
      if (!fitsTotal(first.amount)) return;
      client.waiting.shift();
      waitingCount -= 1;
      clients.delete(name);
      clients.set(name, client);
      first.start(grant(name, client, first.amount));
    }
  }

  function refusal(client: Client, amount: number): Problem {
    const { clientIsBusy, othersAreBusy = clientIsBusy, retryAfter } = options;
    const message = fitsClient(client, amount) ? othersAreBusy : clientIsBusy;
    if (retryAfter === undefined) return new Problem('unavailable', message);
    return new Problem('unavailable', message, { headers: { 'Retry-After': String(retryAfter) } });
  }

  function wait(name: string, client: Client, amount: number, timeout: number): Promise<Release> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        amount,
        start(release) {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        client.waiting.splice(client.waiting.indexOf(waiting), 1);
        waitingCount -= 1;
        reject(refusal(client, amount));
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
      { amount = 1, timeout = maxWait, isAdmitted = false }: TakeOptions = {},
    ): Release | Promise<Release> {
      const client = clients.get(name) ?? { used: 0, waiting: [] };
      if (waitingCount === 0 && fitsClient(client, amount) && fitsTotal(amount)) {
        clients.set(name, client);
        return grant(name, client, amount);
      }
      const isFull = client.waiting.length >= maxWaiting && !isAdmitted;
      // A request that fits need not be rejected: the waiting ones may only wait for their own clients' shares.
      if (isFull && !(fitsClient(client, amount) && fitsTotal(amount))) throw refusal(client, amount);
      return wait(name, client, amount, Math.min(timeout, maxWait));
    },
  };
}
