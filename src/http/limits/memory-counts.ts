import { type ClientRateLimitInfo, MemoryStore } from 'express-rate-limit';

/**
 * Counts in the memory of this process. The library resolves with an object that it changes at the next request: of several
 * requests that arrive at once, each would see the count of the last one.
 */
export class MemoryCounts extends MemoryStore {
  override async increment(key: string): Promise<ClientRateLimitInfo> {
    void super.increment(key);
    return { ...this.current.get(key) } as ClientRateLimitInfo;
  }
}
