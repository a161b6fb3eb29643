import { setTimeout as sleep } from 'node:timers/promises';

/** Minimum milliseconds between two rounds of notifications of a process. */
const INTERVAL = 10;

/**
 * Returns a function that notifies a channel soon. `send` gets the channels of a round. A lost notification is not sent
 * again, so listeners also poll.
 */
export function createNotifier(send: (channels: string[]) => Promise<unknown>): (channel: string) => void {
  const pending = new Set<string>();
  let isRunning = false;

  async function sendAll(): Promise<void> {
    isRunning = true;
    while (pending.size > 0) {
      const channels = [...pending];
      pending.clear();
      await send(channels).catch(() => undefined);
      await sleep(INTERVAL);
    }
    isRunning = false;
  }

  return (channel) => {
    pending.add(channel);
    if (!isRunning) void sendAll();
  };
}
