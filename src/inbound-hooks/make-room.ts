import type { Logger } from 'pino';
import type { OperationContext } from '../http/operation.ts';
import { dropSettledPayloads, foldInboundStorage, inboundStorageUsed } from './storage-queries.ts';

/** When so much of the storage is taken, room is made, until only so much is. */
const BEGIN = 0.9;
const END = 0.8;
/** So few at once, since each may be a megabyte. */
const BATCH = 100;

/**
 * Makes room for what comes in next: drops the oldest payloads that became of something. What was rejected is kept, since
 * there is nothing else of it. Throws when that alone takes nearly all.
 */
export async function makeRoom(
  { db, environment, inboundStorage: most }: Pick<OperationContext, 'db' | 'environment' | 'inboundStorage'>,
  logger: Logger,
): Promise<void> {
  await foldInboundStorage(db);
  let used = await inboundStorageUsed(db);
  if (used <= most * BEGIN) return;
  let dropped = 0;
  for (let last = BATCH; last === BATCH && used > most * END; dropped += last) {
    last = await dropSettledPayloads(db, BATCH);
    used = await inboundStorageUsed(db);
  }
  if (dropped > 0) {
    logger.info(
      { environment, dropped, used_bytes: used },
      'The oldest payloads of inbound hooks were dropped, to stay below INBOUND_STORAGE_MIB.',
    );
  }
  if (used > most * BEGIN) {
    throw new Error(
      `Rejected deliveries take ${used} of ${most} bytes. When all are taken, more of them are refused with 429. Correct the mapping of their hook and replay them, delete the hook, or raise INBOUND_STORAGE_MIB.`,
    );
  }
}
