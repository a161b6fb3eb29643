import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';
import { LRUCache } from 'lru-cache';

/** Maximum clients or addresses per limit. Beyond that, the one that was counted longest ago is forgotten. */
const MAX_KEYS = 10_000;

interface Window {
  hits: number;
  /** By performance.now(), which does not change with the system clock. */
  endsAt: number;
}

/**
 * A store of express-rate-limit that counts in the memory of this process. The library's MemoryStore resolves with an object
 * that the next request changes. So concurrent requests would all see the count of the last one.
 */
export class MemoryCounts implements Store {
  readonly localKeys = true;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_KEYS });
  /** Milliseconds. */
  #length = 0;

  init({ windowMs }: Options): void {
    this.#length = windowMs;
  }

  async increment(key: string): Promise<ClientRateLimitInfo> {
    const window = this.#current(key) ?? { hits: 0, endsAt: performance.now() + this.#length };
    window.hits += 1;
    this.#windows.set(key, window);
    return infoOf(window);
  }

  async decrement(key: string): Promise<void> {
    const window = this.#current(key);
    if (window !== undefined && window.hits > 0) window.hits -= 1;
  }

  async resetKey(key: string): Promise<void> {
    this.#windows.delete(key);
  }

  async get(key: string): Promise<ClientRateLimitInfo | undefined> {
    const window = this.#current(key);
    return window && infoOf(window);
  }

  #current(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAt > performance.now() ? window : undefined;
  }
}

function infoOf({ hits, endsAt }: Window): ClientRateLimitInfo {
  return { totalHits: hits, resetTime: new Date(Date.now() + endsAt - performance.now()) };
}
