import type { Db } from '../db/db.ts';
import type { RowValues } from '../db/row-statements.ts';
import { charsetOf } from '../http/media-types.ts';
import { grantColumns } from '../jobs/grant.ts';
import { findDeclared } from '../metadata/queries.ts';
import type { Answer, Input, OperationContext } from '../operation.ts';
import { Problem } from '../problem.ts';
import type { Remark } from '../table-files/fault.ts';
import { readFile } from '../table-files/read-file.ts';
import type { FileSummary } from '../table-files/read-here.ts';
import { knownCharset } from '../values/charset.ts';
import { newUuid } from '../values/id.ts';
import { noCounts } from './import.ts';
import { isOfFile } from './mapping/doubts.ts';
import { footerDoubt, footerWarning } from './mapping/footer.ts';
import { checkOptions } from './mapping/mapping.ts';
import { deleteChunks, insertChunk } from './queries.ts';
import { claimRoom } from './storage.ts';
import { studyFile } from './study/study-file.ts';
import { tellUnwrapped } from './study/unwrapped.ts';
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
  | 'write'
  | 'checkBody'
  | 'checkItem'
>;

type Query = Input<'createImport'>['query'];

/** What the import says about the file. The chunks of its rows have its id. */
type Columns = RowValues<ImportRow> & Pick<ImportRow, 'id'>;

/** Stores the rows while they arrive. `save` runs in a transaction once the file is complete. If it fails, the rows go. */
export async function receiveFile<Result extends Answer>(
  body: AsyncIterable<Buffer>,
  options: Query,
  context: UploadContext,
  save: (trx: Db, columns: Columns) => Promise<Result>,
): Promise<Result> {
  const { db, principal, headers, contentType, importStorage, write } = context;
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
      charset: options.charset ?? knownCharset(charsetOf(contentType) ?? ''),
      sheet: options.sheet,
      leavesFooter: acceptsFooter(options),
    };
    const file = await readFile(body, reading, async (number, rows) => {
      await room.take(Buffer.byteLength(rows));
      checkRoom();
      if (room.refusal === undefined) await insertChunk(db, { id, client: principal.clientId, number, rows });
    });
    const columns = { id, ...(await studied(file, options, context)) };
    const answer = await write({ sha256: file.sha256 }, async (trx) => {
      if (room.refusal !== undefined) throw room.refusal;
      const saved = await save(trx, columns);
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

function acceptsFooter({ accept_doubts = [] }: Query): boolean {
  return accept_doubts.includes('footer');
}

/** Decides how the file is imported, and whether it starts. Throws 422 for options that don't fit it. */
async function studied(
  file: FileSummary,
  options: Query,
  { db, principal, actor, requestId, defaultCountry, checkBody, checkItem }: UploadContext,
): Promise<RowValues<ImportRow>> {
  const { resource, match, on_duplicate, dry_run, create_users } = options;
  const { format, columns, charset, sheet, remarks, footer } = file;
  const reading = { locale: null, default_country: defaultCountry ?? null, defaults: {}, values: {} };
  const given = { resource, match, on_duplicate, format, ...reading };
  const checks = { checkBody, checkItem };
  const declared = await findDeclared(db, resource);
  const { mapping, findings } = await studyFile(file, given, { principal, checks, declared });
  const isAccepted = acceptsFooter(options);
  const warnings = [
    ...remarks.filter((each) => !isOfFile(each)),
    ...tellUnwrapped(file),
    ...(footer && isAccepted ? [footerWarning(footer.row, footer.last)] : []),
  ];
  const doubts = [
    ...remarks.filter(isOfFile),
    ...findings.doubts,
    ...(footer && !isAccepted ? [footerDoubt(footer)] : []),
  ];
  const isOpen = ({ code }: Remark) => !options.accept_doubts?.some((accepted) => accepted === code);
  // A dry run changes nothing, and shows what the doubts are about.
  const starts = options.start && (dry_run || !doubts.some(isOpen));
  // A draft need not be complete.
  checkOptions({ ...given, mapping, on_duplicate: starts ? on_duplicate : 'reject' });
  return {
    kind: 'import',
    status: starts ? 'queued' : 'draft',
    options: {
      ...given,
      create_users,
      columns,
      mapping,
      findings: { ...findings, warnings, doubts },
      charset,
      sheet,
    },
    state: { rejected_width: 0, starts: 1 },
    counts: noCounts,
    resources: [resource],
    dry_run,
    rows_total: file.rows + file.faultsTotal,
    ...grantColumns({ actor, principal }),
    request_id: requestId,
  };
}
