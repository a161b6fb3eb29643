import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { system } from '../actor.ts';
import type { Db } from '../db/db.ts';
import { snapshotReader } from '../db/list/snapshot-reader.ts';
import { findRow } from '../db/resource.ts';
import { rowFormats, toText } from '../http/rows/formats.ts';
import { createImport } from '../imports/create-import.ts';
import { listImportErrors } from '../imports/list-import-errors.ts';
import { imports } from '../imports/queries.ts';
import { runChunk } from '../imports/run/run-chunk.ts';
import type { ImportRow } from '../imports/tables.ts';
import type { Input } from '../operation.ts';
import { anonymous } from '../principal.ts';
import { createProgress } from '../sandbox/progress.ts';
import { toUuid } from '../values/id.ts';
import { compileContract } from './contract.ts';
import { checkOutput, STDOUT, writeFile } from './output.ts';
import type { Report } from './report.ts';

/** Milliseconds between checks of an import that a running service is processing. */
const POLL_INTERVAL = 200;

/** Has all scopes, and no storage limit. */
const operator = {
  principal: { ...anonymous, scopes: ['read', 'write', 'admin'] },
  importStorage: Number.POSITIVE_INFINITY,
  actor: system,
  baseUrl: '',
  url: '',
  isDryRun: false,
} as const;

interface ImportOptions {
  db: Db;
  logger: Logger;
  databaseUrl: string;
  /** The query of `POST /imports`. */
  query: Record<string, string>;
  /** File for the rows' errors. */
  errors: string | undefined;
}

/** Imports the file like a request. A running service shares the work, and continues if this command is interrupted. */
export async function importFile(
  file: string,
  { db, databaseUrl, logger, query, errors }: ImportOptions,
): Promise<Report> {
  if (errors !== undefined) await checkOutput(errors);
  // Open the file first: a stream would report a missing file too late.
  const input = await open(file);
  if ((await input.stat()).isDirectory()) {
    await input.close();
    throw new Error(`${file} is a folder. Name a file.`);
  }
  const contract = await compileContract();
  const checked = contract.checkQuery('createImport', query) as Input<'createImport'>['query'];
  const isCsv = !/\.(ndjson|jsonl)$/i.test(file);
  const { body } = await createImport(
    { query: checked, body: input.createReadStream() },
    {
      ...operator,
      ...contract,
      db,
      requestId: `cli-import-${randomUUID()}`,
      headers: { 'content-type': isCsv ? 'text/csv' : 'application/x-ndjson' },
      write: (_body, work) => db.transaction(work),
    },
  );
  const { id, resource, rows_total } = body.data;
  const onProgress = createProgress(process.stderr, rows_total, resource);
  const row = await finish({ db, logger }, toUuid('import', id) ?? '', async () => contract, onProgress);
  if (errors !== undefined) {
    const listed = await listImportErrors(
      { path: { id }, query: { per_page: 100, sort: 'row' } },
      { ...operator, db, mediaType: 'text/csv', readSnapshot: snapshotReader({ url: databaseUrl }) },
    );
    const rows = listed.body as Extract<typeof listed.body, (...args: never) => unknown>;
    const rules = contract.rowsOf('listImportErrors', 200);
    await writeFile(errors, (signal) => toText(rows(signal), rowFormats['text/csv'], rules));
  }
  const { status, created, updated, unchanged, failed, failure_reason } = row;
  return {
    title: row.dry_run ? 'Tried the import. Nothing was changed:' : `Imported ${resource}:`,
    data: {
      id,
      status,
      rows: rows_total,
      created,
      updated,
      unchanged,
      failed,
      ...(failure_reason !== null && { failure_reason }),
    },
    failed: failed > 0 || status !== 'completed',
    hasOutput: errors === STDOUT,
  };
}

async function finish(
  context: { db: Db; logger: Logger },
  id: string,
  checks: Parameters<typeof runChunk>[1],
  onProgress: ReturnType<typeof createProgress>,
): Promise<ImportRow> {
  for (;;) {
    const own = await runChunk(context, checks, id);
    const row = own ?? (await findRow(context.db, imports, id));
    if (row === undefined) throw new Error('The import was deleted.');
    onProgress?.(row.rows_done);
    if (row.status !== 'queued' && row.status !== 'running') return row;
    if (own === undefined) await sleep(POLL_INTERVAL);
  }
}
