import type { OperationContext } from '../operation.ts';
import { Problem } from '../problem.ts';
import { deleteRejectedRows, rowsKept } from './storage-queries.ts';

/** The share of the environment's import storage that one client may use. */
const CLIENT_SHARE = 1 / 4;
/** Maximum drafts, dry runs and queued imports of one client. */
const MAX_IMPORTS = 1_000;
/** Bytes after which an upload checks what others have stored meanwhile. */
const RECOUNT_AFTER = 8 * 2 ** 20;
/** Seconds until queued imports may have run. */
const RETRY_AFTER = '60';

interface Room {
  /** Why nothing more can be stored. Undefined while there is room. */
  refusal: Problem | undefined;
  /** Call it before storing a chunk of this many bytes. Sets `refusal` if there is no room. */
  take(bytes: number): Promise<void>;
}

/**
 * The storage that an upload may use. `refusal` is a 429 if the client or the environment has none left. Throws 413 if the
 * file is larger than a client's whole share.
 */
export async function claimRoom({
  db,
  principal: { clientId },
  importStorage,
}: Pick<OperationContext, 'db' | 'principal' | 'importStorage'>): Promise<Room> {
  const ownLimit = importStorage * CLIENT_SHARE;
  let kept = await rowsKept(db, clientId);
  let fileBytes = 0;
  let uncounted = 0;
  let hasFreed = false;

  /** Rejected rows must not keep a client from its next import: they make room for it. */
  async function freeRoom(stored: number): Promise<void> {
    if (clientId === null || hasFreed) return;
    hasFreed = true;
    await deleteRejectedRows(db, clientId);
    kept = await rowsKept(db, clientId);
    uncounted = stored;
  }

  function fault(): Problem | undefined {
    if (kept.own + uncounted > ownLimit) return full(ownFull);
    return kept.all + uncounted > importStorage ? full(allFull) : undefined;
  }

  const room: Room = {
    refusal: undefined,
    async take(bytes) {
      fileBytes += bytes;
      if (fileBytes > ownLimit) throw new Problem('body_too_large', tooLarge(ownLimit));
      if (room.refusal !== undefined) return;
      uncounted += bytes;
      if (uncounted > RECOUNT_AFTER) {
        kept = await rowsKept(db, clientId);
        uncounted = bytes;
      }
      if (fault() !== undefined) await freeRoom(bytes);
      room.refusal = fault();
    },
  };
  if (kept.own >= ownLimit) await freeRoom(0);
  if (clientId !== null && kept.imports >= MAX_IMPORTS) room.refusal = full(tooMany);
  else if (kept.own >= ownLimit) room.refusal = full(ownFull);
  return room;
}

const remedy = 'Start or cancel some of them, or wait until the queued ones have run.';
const tooMany = `You have ${MAX_IMPORTS.toLocaleString('en')} drafts, dry runs and queued imports, which is the maximum. ${remedy}`;
const ownFull = `Your drafts, dry runs and queued imports take all the room that one client may use. ${remedy}`;
const allFull =
  'The drafts, dry runs and queued imports of all clients take all the room there is. Try again later, or ask your operator for more room.';

function tooLarge(limit: number): string {
  const mebibytes = Math.floor(limit / 2 ** 20).toLocaleString('en');
  return `The rows of this file take more than the ${mebibytes} MiB that one client may use. Split it into smaller files.`;
}

function full(message: string): Problem {
  return new Problem('import_storage_full', message, { headers: { 'Retry-After': RETRY_AFTER } });
}
