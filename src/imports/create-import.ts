import { one } from '../db/db.ts';
import type { RowValues } from '../db/row-statements.ts';
import { grantColumns } from '../jobs/grant.ts';
import type { Input, Result } from '../operation.ts';
import { newUuid, toId } from '../values/id.ts';
import { requireScopes, requireUsersScope, toImport } from './import.ts';
import { checkOptions } from './mapping/mapping.ts';
import { requirePastScope } from './mapping/past-times.ts';
import { type ImportOptions, optionsInDocument, optionsInQuery, rejectOptions } from './options.ts';
import { imports } from './queries.ts';
import { receiveFile, type UploadContext } from './receive-file.ts';
import { claimRoom } from './storage.ts';
import type { ImportRow } from './tables.ts';

/** Creates an import of the file, or a draft that waits for one. */
export function createImport(
  { query, body }: Pick<Input<'createImport'>, 'query' | 'body'>,
  context: UploadContext,
): Promise<Result<'createImport'>> {
  if (Symbol.asyncIterator in body) return importOf(body, optionsInQuery(query), context);
  rejectOptions(query);
  return createDraft(optionsInDocument(body), body, context);
}

/** Creates an import of the file. */
export function importOf(
  body: AsyncIterable<Buffer>,
  options: ImportOptions,
  context: UploadContext,
): Promise<Result<'createImport'>> {
  requireScopes(context.principal, options.resource, 'write');
  requireUsersScope(context.principal, options.create_users);
  return receiveFile(body, options, context, async (trx, { id, columns }) => {
    const insertion = imports.statements.insert({ id, ...optionColumns(options), ...columns });
    return created(await one(trx, insertion), context.baseUrl);
  });
}

/** Without rows, until the file arrives. */
async function createDraft(
  options: ImportOptions,
  body: object,
  context: UploadContext,
): Promise<Result<'createImport'>> {
  const { db, principal, actor, requestId, baseUrl, importStorage, write } = context;
  requireScopes(principal, options.resource, 'write');
  requireUsersScope(principal, options.create_users);
  requirePastScope(principal, options);
  checkOptions({ ...options, on_duplicate: 'reject' });
  const room = await claimRoom({ db, principal, importStorage });
  return write(body, async (trx) => {
    if (room.refusal !== undefined) throw room.refusal;
    const insertion = imports.statements.insert({
      id: newUuid(),
      ...optionColumns(options),
      status: 'draft',
      format: null,
      columns: [],
      mapping: options.mapping,
      findings: { warnings: [], doubts: [waiting], unused_columns: [] },
      rows_total: 0,
      ...grantColumns({ actor, principal }),
      request_id: requestId,
    });
    return created(await one(trx, insertion), baseUrl);
  });
}

const waiting = {
  code: 'waiting_for_file',
  column: null,
  row: null,
  message: 'This draft waits for its file. Send it with PUT /imports/{id}/file.',
};

function optionColumns({
  mapping,
  start,
  accept_doubts: _,
  ...options
}: ImportOptions): RowValues<ImportRow> {
  return { ...options, given_mapping: mapping, given_charset: options.charset, given_start: start };
}

function created(row: ImportRow, baseUrl: string): Result<'createImport'> {
  return {
    status: 202,
    headers: { Location: `${baseUrl}/imports/${toId('import', row.id)}` },
    body: { data: toImport(row) },
  };
}
