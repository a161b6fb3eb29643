import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { system } from '../actor.ts';
import type { Db } from '../db/db.ts';
import { snapshotReader } from '../db/list/snapshot-reader.ts';
import { findRow } from '../db/resource.ts';
import { rowFormats, toText } from '../http/rows/formats.ts';
import type { Contract } from '../http/validation/contract.ts';
import { cancelImport } from '../imports/cancel-import.ts';
import { importOf } from '../imports/create-import.ts';
import { toImport } from '../imports/import.ts';
import { listImportErrors } from '../imports/list-import-errors.ts';
import { optionsInDocument } from '../imports/options.ts';
import { imports } from '../imports/queries.ts';
import { runChunk } from '../imports/run/run-chunk.ts';
import { startImport } from '../imports/start-import.ts';
import type { OperationContext, Schema } from '../operation.ts';
import { anonymous } from '../principal.ts';
import { createProgress } from '../sandbox/progress.ts';
import { toUuid } from '../values/id.ts';
import { compileContract } from './contract.ts';
import { decide, showFailures, showPreview } from './import-preview.ts';
import { checkOutput, STDOUT, writeFile } from './output.ts';
import { checkRejectedFile, writeRejected } from './rejected-file.ts';
import type { Report } from './report.ts';
import { asUsage, UsageError } from './usage-error.ts';

/** Milliseconds between checks of an import that a running service is processing. */
const POLL_INTERVAL = 200;
/** Nobody has decided about the doubts, so nothing was imported. */
const UNDECIDED = 3;

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
  defaultCountry: string | undefined;
  /** The options document of `POST /imports`, without `values`. */
  document: object;
  /** A JSON file with the option `values`. */
  values: string | undefined;
  /** File for the rows' errors. */
  errors: string | undefined;
  /** File for the rejected rows. Beside the source unless it is given. */
  rejected: string | undefined;
  /** Doubts that are answered beforehand. */
  acceptDoubts: readonly 'footer'[];
  /** Whether to import in spite of doubts. */
  yes: boolean;
  json: boolean;
}

/** Imports the file like a request. A running service shares the work, and continues if this command is interrupted. */
export async function importFile(file: string, given: ImportOptions): Promise<Report> {
  const { db, logger, errors, rejected, acceptDoubts, yes, json } = given;
  if (errors !== undefined) await checkOutput(errors);
  if (rejected !== undefined) await checkRejectedFile(rejected);
  const contract = await compileContract();
  const context = contextOf(given, contract);
  const { data: draft } = await upload(file, given, context);
  const id = toUuid('import', draft.id) ?? '';
  const doubts = draft.doubts.filter(({ code }) => !acceptDoubts.some((accepted) => accepted === code));
  const isSure = draft.dry_run || doubts.length === 0 || yes;
  if (!json || !isSure) showPreview(file, draft);
  if (!isSure && !(await decide())) {
    const { body } = await db.transaction((trx) =>
      cancelImport({ path: { id: draft.id }, headers: {} }, { ...context, db: trx }),
    );
    const title =
      'Nothing was imported. Look at the doubts above; to import in spite of them, repeat with --yes.';
    return { ...reportOf(title, body.data), exitCode: UNDECIDED };
  }
  await db.transaction((trx) =>
    startImport(
      { path: { id: draft.id }, body: { dry_run: draft.dry_run, accept_doubts: [...acceptDoubts] } },
      { ...context, db: trx },
    ),
  );
  const onProgress = createProgress(process.stderr, draft.rows_total, draft.resource);
  const done = toImport(await finish({ db, logger }, id, async () => contract, onProgress));
  if (errors !== undefined) await writeErrors(errors, done, context, contract);
  const rejectedFile = done.counts.failed > 0 && (await writeRejected(file, done, rejected, context));
  if (!json) showFailures(done);
  const title = done.dry_run ? 'Tried the import. Nothing was changed:' : `Imported ${done.resource}:`;
  const report = reportOf(title, done, rejectedFile || undefined);
  return {
    ...report,
    failed: done.counts.failed > 0 || done.status !== 'completed',
    hasOutput: errors === STDOUT,
  };
}

function contextOf({ db, databaseUrl, defaultCountry }: ImportOptions, contract: Contract): OperationContext {
  const { checkBody, checkItem } = contract;
  return {
    ...operator,
    db,
    defaultCountry,
    checkBody,
    checkItem,
    mediaType: 'text/csv',
    readSnapshot: snapshotReader({ url: databaseUrl }),
    requestId: `cli-import-${randomUUID()}`,
    headers: {},
    contentType: undefined,
    write: (_body, work) => db.transaction(work),
  } as Partial<OperationContext> as OperationContext;
}

/** Makes a draft of the file. */
async function upload(
  file: string,
  { document, values }: ImportOptions,
  context: OperationContext,
): Promise<Schema<'ImportResponse'>> {
  // Open the file first: a stream would report a missing file too late.
  if (file === STDOUT) throw new UsageError('import reads a file, not standard input. Name the file.');
  const input = await open(file);
  if ((await input.stat()).isDirectory()) {
    await input.close();
    throw new Error(`${file} is a folder. Name a file.`);
  }
  const given = { ...document, ...(values !== undefined && { values: await readJson(values) }) };
  const checked = await asUsage(() => context.checkBody('createImport', given) as Schema<'CreateImport'>);
  const options = optionsInDocument(checked);
  const headers = { 'content-type': mediaTypeOf(file) };
  const { body } = await importOf(
    input.createReadStream(),
    { ...options, start: false },
    { ...context, headers },
  );
  return body;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${file} is not valid JSON: ${error.message}.`);
    throw error;
  }
}

function mediaTypeOf(file: string): string {
  return ['.ndjson', '.jsonl'].includes(extname(file).toLowerCase()) ? 'application/x-ndjson' : 'text/csv';
}

async function finish(
  context: { db: Db; logger: Logger },
  id: string,
  checks: Parameters<typeof runChunk>[1],
  onProgress: ReturnType<typeof createProgress>,
) {
  for (;;) {
    const own = await runChunk(context, checks, id);
    const row = own ?? (await findRow(context.db, imports, id));
    if (row === undefined) throw new Error('The import was deleted.');
    onProgress?.(row.rows_done);
    if (row.status !== 'queued' && row.status !== 'running') return row;
    if (own === undefined) await sleep(POLL_INTERVAL);
  }
}

async function writeErrors(
  file: string,
  { id }: Schema<'Import'>,
  context: OperationContext,
  contract: Contract,
): Promise<void> {
  const listed = await listImportErrors({ path: { id }, query: { per_page: 100, sort: 'row' } }, context);
  const rows = listed.body as Extract<typeof listed.body, (...args: never) => unknown>;
  const rules = contract.rowsOf('listImportErrors', 200);
  await writeFile(file, (signal) => toText(rows(signal), rowFormats['text/csv'], rules));
}

function reportOf(title: string, done: Schema<'Import'>, rejected?: string): Report {
  const { id, status, rows_total, counts, failure } = done;
  const data = {
    id,
    status,
    rows: rows_total,
    ...counts,
    ...(failure !== null && { failure: failure.message }),
    ...(rejected !== undefined && { rejected_rows: rejected }),
  };
  const { mapping, unused_columns, warnings, doubts, failures, charset, locale, default_country } = done;
  const found = { mapping, unused_columns, warnings, doubts, failures, charset, locale, default_country };
  return { title, data, json: { ...data, ...found } };
}
