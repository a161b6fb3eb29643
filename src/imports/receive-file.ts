import type { Db } from '../db/db.ts';
import { charsetOf } from '../http/media-types.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { Answer, OperationContext } from '../operation.ts';
import { Problem } from '../problem.ts';
import { newUuid } from '../values/id.ts';
import { type FileSummary, readFile } from './file/read-file.ts';
import { knownEncoding } from './file/text/decode-file.ts';
import { checkOptions } from './mapping/mapping.ts';
import { requirePastScope } from './mapping/past-times.ts';
import { studyFile } from './mapping/study-file.ts';
import type { ImportOptions } from './options.ts';
import { deleteChunks, insertChunk } from './queries.ts';
import { claimRoom } from './storage.ts';
import type { ImportRow } from './tables.ts';

export type UploadContext = Pick<
  OperationContext,
  | 'db'
  | 'principal'
  | 'actor'
  | 'requestId'
  | 'baseUrl'
  | 'headers'
  | 'contentType'
  | 'importStorage'
  | 'defaultCountry'
  | 'isDryRun'
  | 'write'
  | 'checkBody'
  | 'checkItem'
>;

/** A file whose rows are stored. */
interface Upload {
  /** The chunks of its rows have this id. */
  id: string;
  /** What the import says about the file. */
  columns: Pick<
    ImportRow,
    | 'status'
    | 'format'
    | 'columns'
    | 'mapping'
    | 'findings'
    | 'charset'
    | 'sheet'
    | 'default_country'
    | 'rows_total'
    | 'file_sha256'
    | 'actor_type'
    | 'actor_id'
    | 'actor_user_id'
    | 'key_id'
    | 'request_id'
  >;
}

/** Stores the rows while they arrive. `save` runs in a transaction once the file is complete. If it fails, the rows go. */
export async function receiveFile<Result extends Answer>(
  body: AsyncIterable<Buffer>,
  options: ImportOptions,
  context: UploadContext,
  save: (trx: Db, upload: Upload) => Promise<Result>,
): Promise<Result> {
  const { db, principal, headers, contentType, importStorage, isDryRun, write } = context;
  const room = await claimRoom({ db, principal, importStorage });
  // A repeated request needs no room, but only the end of the file tells whether this is one.
  const mayBeRepeat = headers['idempotency-key'] !== undefined;
  const checkRoom = () => {
    if (room.refusal !== undefined && !mayBeRepeat) throw room.refusal;
  };
  checkRoom();
  const id = newUuid();
  const discard = () => deleteChunks(db, id).catch(() => undefined);
  let mayBeCommitted = false;
  try {
    const reading = {
      mediaType: headers['content-type'],
      // Programs also send names that say nothing, such as binary.
      charset: options.charset ?? knownEncoding(charsetOf(contentType) ?? ''),
      sheet: options.sheet ?? undefined,
      leavesFooter: options.accept_doubts.includes('footer'),
    };
    const file = await readFile(body, reading, async (number, rows) => {
      await room.take(Buffer.byteLength(rows));
      checkRoom();
      const isStored = !isDryRun && room.refusal === undefined;
      if (isStored) await insertChunk(db, { id, client: principal.clientId, number, rows });
    });
    const columns = await studied(file, options, context);
    const answer = await write({ sha256: file.sha256 }, async (trx) => {
      if (room.refusal !== undefined) throw room.refusal;
      const saved = await save(trx, { id, columns });
      mayBeCommitted = true;
      return saved;
    });
    // The answer comes from an earlier request with the same Idempotency-Key.
    if (!mayBeCommitted) await discard();
    return answer;
  } catch (error) {
    // If the answer to the commit was lost, the import may exist. If it doesn't, housekeeping deletes the rows. A Problem is
    // thrown before the commit.
    if (!mayBeCommitted || error instanceof Problem) await discard();
    throw error;
  }
}

/** Decides how the file is imported, and whether it starts. Throws 422 for options that don't fit it. */
async function studied(
  file: FileSummary,
  options: ImportOptions,
  { principal, actor, requestId, defaultCountry, checkBody, checkItem }: UploadContext,
): Promise<Upload['columns']> {
  const default_country = options.default_country ?? defaultCountry ?? null;
  const reading = { ...options, format: file.format, default_country };
  const { mapping, findings } = await studyFile(file, reading, {
    principal,
    checks: { checkBody, checkItem },
  });
  // A dry run changes nothing, and shows what the doubts are about.
  const starts = options.start ?? (options.dry_run || findings.doubts.length === 0);
  requirePastScope(principal, { ...options, mapping });
  // A draft need not be complete.
  const on_duplicate = options.start === false ? 'reject' : options.on_duplicate;
  checkOptions({ ...options, mapping, on_duplicate });
  return {
    status: starts ? 'queued' : 'draft',
    format: file.format,
    columns: file.columns,
    mapping,
    findings,
    charset: file.charset,
    sheet: file.sheet,
    default_country,
    rows_total: file.rows + file.faultsTotal,
    file_sha256: file.sha256,
    ...grantColumns({ actor, principal }),
    request_id: requestId,
  };
}
