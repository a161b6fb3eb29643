import type { Logger } from 'pino';
import type { OperationContext } from '../operation.ts';
import { dropSettledPayloads, foldInboundStorage, inboundStorageUsed } from './storage-queries.ts';

/** Shares of the storage limit: dropping starts above the first and stops below the second. */
const HIGH_WATERMARK = 0.9;
const LOW_WATERMARK = 0.8;
/** Payloads dropped per statement. Small, since each may be a megabyte. */
const BATCH = 100;

/**
 * Frees inbound storage by dropping the oldest payloads of processed deliveries. Rejected deliveries keep theirs, since a
 * reprocessing needs it. Returns the number dropped. Throws if these alone exceed the high watermark.
 */
export async function makeRoom(
  { db, environment, inboundStorage: limit }: Pick<OperationContext, 'db' | 'environment' | 'inboundStorage'>,
  logger: Logger,
): Promise<number> {
  await foldInboundStorage(db);
  let used = await inboundStorageUsed(db);
  if (used <= limit * HIGH_WATERMARK) return 0;
  let dropped = 0;
  for (let last = BATCH; last === BATCH && used > limit * LOW_WATERMARK; dropped += last) {
    last = await dropSettledPayloads(db, BATCH);
    used = await inboundStorageUsed(db);
  }
  if (dropped > 0) {
    logger.info(
      { environment, dropped, used_bytes: used },
      'Dropped the oldest payloads of inbound hooks to stay below INBOUND_STORAGE_MIB.',
    );
  }
  if (used > limit * HIGH_WATERMARK) {
    throw new Error(
      `Rejected deliveries take ${used} of ${limit} bytes. Once the storage is full, further ones are refused with 429. Correct the mapping of their hook and process them again, delete the hook, or raise INBOUND_STORAGE_MIB.`,
    );
  }
  return dropped;
}
