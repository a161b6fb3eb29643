import { createHash } from 'node:crypto';
import { updateRow } from '../db/resource.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { findOrThrow, lockOrThrow } from '../resource/rows.ts';
import { requireAnyScope, requireScopes, requireUsersScope, toImport, wasTried } from './import.ts';
import { type ImportOptions, optionsWith } from './options.ts';
import { deleteChunks, imports, moveChunks } from './queries.ts';
import { receiveFile } from './receive-file.ts';
import { deleteResults } from './result-queries.ts';
import { notBegun } from './start-import.ts';
import type { ImportRow } from './tables.ts';

/** Stores the rows under an id of their own while they arrive, so that an earlier file stays until this one is complete. */
export async function putImportFile(
  { path, query, body }: Input<'putImportFile'>,
  context: OperationContext,
): Promise<Result<'putImportFile'>> {
  const { db, principal } = context;
  requireAnyScope(principal, 'write');
  const before = await findOrThrow(db, imports, path.id);
  requireScopes(principal, before.resource, 'write');
  if (!takesFile(before)) {
    const sha256 = await sha256Of(body);
    return context.write({ sha256 }, async () => repeated(before, sha256));
  }
  const options = givenOptions(before, query);
  requireUsersScope(principal, options.create_users);
  return receiveFile(body, options, context, async (trx, { id, columns }) => {
    const locked = await lockOrThrow(trx, imports, { path, headers: {} });
    // A request with the same file was faster.
    if (!takesFile(locked)) {
      if (locked.file_sha256 !== columns.file_sha256) throw hasStarted();
      await deleteChunks(trx, id);
      return answer(locked);
    }
    await deleteResults(trx, locked.id);
    await deleteChunks(trx, locked.id);
    await moveChunks(trx, id, locked.id);
    return answer(await updateRow(trx, imports, locked.id, { ...notBegun(locked), ...columns }));
  });
}

function takesFile(row: ImportRow): boolean {
  return row.status === 'draft' || wasTried(row);
}

/** As the draft was created, and as the parameters say. */
function givenOptions(row: ImportRow, query: Input<'putImportFile'>['query']): ImportOptions {
  return optionsWith(
    {
      ...row,
      mapping: row.given_mapping,
      charset: row.given_charset,
      start: row.given_start,
      accept_doubts: [],
    },
    query,
  );
}

/** The import has started: the file must be the same. */
function repeated(row: ImportRow, sha256: string): Result<'putImportFile'> {
  if (sha256 !== row.file_sha256) throw hasStarted();
  return answer(row);
}

async function sha256Of(body: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of body) digest.update(piece);
  return digest.digest('hex');
}

function answer(row: ImportRow): Result<'putImportFile'> {
  return { status: 202, body: { data: toImport(row) } };
}

function hasStarted() {
  const message =
    'This import takes no other file: only drafts and completed dry runs do. Create another import for it.';
  return invalidField('id', message, 'wrong_import_status');
}
