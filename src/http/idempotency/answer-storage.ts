import type { AnswerStorage } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { Problem } from '../../problem.ts';
import { addUsage, readUsage } from './usage-queries.ts';

/** The part of the environment's storage for answers that one client may use. */
const CLIENT_SHARE = 1 / 4;
/** Size of a stored answer without its body: row, key and index entries. Bytes. */
const OVERHEAD = 512;
/** How often a process saves how much it has stored, and reads what the others have. Milliseconds. */
const SAVE_AFTER = 1_000;
/** Seconds after which older answers have expired. */
const RETRY_AFTER = '3600';

/**
 * Limits an environment's stored answers to `limit` bytes. Counting in each request's transaction would serialize a client's
 * requests, so each process saves its counts once a second.
 */
export function createAnswerStorage(db: Db, limit: number): AnswerStorage {
  let unsaved = new Map<string, number>();
  /** Bytes of all processes by client, as of this process's last save. */
  let used: ReadonlyMap<string, number> = new Map();
  let usedByAll = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function saveSoon(): void {
    if (isClosed) return;
    timer ??= setTimeout(save, SAVE_AFTER).unref();
  }

  async function save(): Promise<void> {
    const saving = unsaved;
    unsaved = new Map();
    try {
      await addUsage(db, saving);
      used = await readUsage(db);
      // Summed here, since each request with a key needs it.
      usedByAll = sum(used);
    } catch {
      for (const [clientId, bytes] of saving) count(clientId, bytes);
    }
    timer = undefined;
    if (unsaved.size > 0) saveSoon();
  }

  function count(clientId: string, bytes: number): void {
    unsaved.set(clientId, (unsaved.get(clientId) ?? 0) + bytes);
  }

  return {
    requireRoom(clientId: string): void {
      const own = (used.get(clientId) ?? 0) + (unsaved.get(clientId) ?? 0);
      const all = usedByAll + sum(unsaved);
      if (own < limit * CLIENT_SHARE && all < limit) return;
      // Also learns when there is room again.
      saveSoon();
      throw new Problem('idempotency_storage_full', own < limit * CLIENT_SHARE ? allFull : ownFull, {
        headers: { 'Retry-After': RETRY_AFTER },
      });
    },
    add(clientId: string, bytes: number): void {
      count(clientId, bytes + OVERHEAD);
      saveSoon();
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const remedy =
  'Send the request without an Idempotency-Key, or wait: the service keeps each answer for 24 hours.';
const ownFull = `Your stored answers take all the room that one client may use. ${remedy}`;
const allFull = `The stored answers of all clients take all the room there is. ${remedy}`;

function sum(bytes: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const each of bytes.values()) total += each;
  return total;
}
