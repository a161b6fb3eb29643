import { actorColumns } from '../actor.ts';
import { one } from '../db/db.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { Problem } from '../problem.ts';
import { newUuid, toId } from '../values/id.ts';
import { readFile } from './file/read-file.ts';
import { requireScopes, requireUsersScope, toImport } from './import.ts';
import { checkOptions, matchFor } from './mapping/mapping.ts';
import { requirePastScope } from './mapping/past-times.ts';
import { studyFile } from './mapping/study-file.ts';
import { deleteChunks, imports, insertChunk } from './queries.ts';
import { claimRoom } from './storage.ts';

type ImportContext = Pick<
  OperationContext,
  | 'db'
  | 'principal'
  | 'actor'
  | 'requestId'
  | 'baseUrl'
  | 'headers'
  | 'importStorage'
  | 'isDryRun'
  | 'write'
  | 'checkBody'
  | 'checkItem'
> &
  Partial<Pick<OperationContext, 'defaultCountry'>>;

/** Stores the rows while they arrive. Creates the import once the file is complete. */
export async function createImport(
  { query, body }: Pick<Input<'createImport'>, 'query' | 'body'>,
  {
    db,
    principal,
    actor,
    requestId,
    baseUrl,
    headers,
    importStorage,
    isDryRun,
    write,
    checkBody,
    checkItem,
    defaultCountry,
  }: ImportContext,
): Promise<Result<'createImport'>> {
  const { resource, on_duplicate, mode, start, create_users, mapping: given, defaults = {} } = query;
  requireScopes(principal, resource, 'write');
  requireUsersScope(principal, create_users);
  const match = matchFor(resource, query.match);
  const dry_run = mode === 'try' || query.dry_run;
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
    const file = await readFile(body, { mediaType: headers['content-type'] }, async (number, rows) => {
      await room.take(Buffer.byteLength(rows));
      checkRoom();
      const isStored = !isDryRun && room.refusal === undefined;
      if (isStored) await insertChunk(db, { id, client: principal.clientId, number, rows });
    });
    const { format } = file;
    const how = { match, on_duplicate, dry_run, create_users, defaults };
    const wanted = { resource, format, ...how } as const;
    const untold = { values: {}, locale: null, default_country: defaultCountry ?? null };
    const { mapping, findings } = await studyFile(
      file,
      { ...wanted, ...untold, mapping: given ?? {} },
      { principal, checks: { checkBody, checkItem } },
    );
    const options = { ...wanted, ...untold, mapping };
    requirePastScope(principal, options);
    if (start) checkOptions(options);
    const answer = await write<Result<'createImport'>>({ sha256: file.sha256 }, async (trx) => {
      if (room.refusal !== undefined) throw room.refusal;
      const insertion = imports.statements.insert({
        id,
        ...options,
        status: start ? 'queued' : 'draft',
        columns: file.columns,
        charset: file.charset,
        findings,
        file_sha256: file.sha256,
        rows_total: file.rows + file.faultsTotal,
        ...actorColumns(actor),
        request_id: requestId,
      });
      const row = await one(trx, insertion);
      mayBeCommitted = true;
      return {
        status: 202,
        headers: { Location: `${baseUrl}/imports/${toId('import', id)}` },
        body: { data: toImport(row) },
      };
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
