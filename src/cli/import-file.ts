import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../generated/operations.ts';
import type { Schema } from '../operation.ts';
import { openService, requireOk } from './call-service.ts';
import { asBody, type Fields, fieldsOf, type RequestOptions, withQuery } from './fields.ts';
import { fileBody } from './file-body.ts';
import { decide, showFailures, showPreview } from './import-preview.ts';
import { createProgress } from './progress.ts';
import type { Report } from './report.ts';
import { UsageError } from './usage-error.ts';

type Import = Schema<'Import'>;
type Call = (path: string, init?: RequestInit) => Promise<Import>;

const parameters: readonly string[] = operations.createImport.query;

/** Milliseconds between looks at an import that the service is processing. */
const POLL_INTERVAL = 500;
/** Nobody has decided about the doubts, so nothing was imported. */
const UNDECIDED = 3;

export interface ImportChoices extends RequestOptions {
  /** Whether to import in spite of doubts. */
  yes?: boolean;
  json?: boolean;
}

/** Has the running service import the file, and waits until it has. The service goes on if this command is interrupted. */
export async function importFile(file: string, options: ImportChoices): Promise<Report> {
  const { environment, url, yes = false, json = false } = options;
  const { query, changes } = split(options);
  const accepted = query
    .filter(([name]) => name === 'accept_doubts')
    .flatMap(([, value]) => String(value).split(','));
  const body = await fileBody(file, mediaTypeOf(file));
  const send = await openService(environment, url);
  const call: Call = async (path, init) => {
    const answer = await requireOk(await send(`/imports${path}`, init));
    return ((await answer.json()) as Schema<'ImportResponse'>).data;
  };
  const draft = await upload(call, withQuery('', query), body, changes);
  const doubts = draft.doubts.filter(({ code }) => !accepted.includes(code));
  const isSure = draft.dry_run || doubts.length === 0 || yes;
  if (!json || !isSure) showPreview(file, draft);
  const command = (request: string) => `npx lead-pipeline api ${request} --environment ${environment}`;
  if (!isSure && !(await decide())) {
    const title = `Nothing was imported. Look at the doubts above; to import in spite of them, repeat with --yes, or run ${command(`POST /imports/${draft.id}/start`)}.`;
    return { ...reportOf(title, draft), exitCode: UNDECIDED };
  }
  const start = asBody([['dry_run', draft.dry_run]]);
  const done = await finish(call, await call(`/${draft.id}/start`, { method: 'POST', ...start }));
  if (!json) showFailures(done);
  if (done.counts.failed > 0)
    process.stderr.write(`The rejected rows: ${command(`GET /imports/${done.id}/rejected-rows`)}\n\n`);
  const title = done.dry_run ? 'Tried the import. Nothing was changed:' : `Imported ${done.resource}:`;
  return { ...reportOf(title, done), failed: done.counts.failed > 0 || done.status !== 'completed' };
}

/** The parameters of `POST /imports`, and the fields of `PATCH /imports/{id}`. */
function split(options: RequestOptions) {
  const fields = fieldsOf(options);
  if (fields.some(([name]) => name === 'start'))
    throw new UsageError(
      'The command starts the import itself. To make only a draft, send the file with api.',
    );
  const query: Fields = fields.filter(([name]) => parameters.includes(name));
  const changes = fields.filter((field) => !query.includes(field));
  if (!query.some(([name]) => name === 'resource')) query.push(['resource', 'leads']);
  query.push(['start', 'false']);
  return { query, changes };
}

/** Makes a draft of the file with all options, or none if they are wrong. */
async function upload(call: Call, query: string, body: RequestInit, changes: Fields): Promise<Import> {
  const draft = await call(query, { method: 'POST', ...body });
  if (changes.length === 0) return draft;
  try {
    return await call(`/${draft.id}`, { method: 'PATCH', ...asBody(changes) });
  } catch (error) {
    await call(`/${draft.id}/cancel`, { method: 'POST' });
    throw error;
  }
}

function mediaTypeOf(file: string): string {
  return ['.ndjson', '.jsonl'].includes(extname(file).toLowerCase()) ? 'application/x-ndjson' : 'text/csv';
}

async function finish(call: Call, { id, rows_total: total, resource }: Import): Promise<Import> {
  const onProgress = createProgress(process.stderr, total, resource);
  for (;;) {
    const row = await call(`/${id}`);
    onProgress?.(row.rows_done);
    if (row.status !== 'queued' && row.status !== 'running') return row;
    await sleep(POLL_INTERVAL);
  }
}

function reportOf(title: string, done: Import): Report {
  const { id, status, rows_total, counts, failure } = done;
  const data = { id, status, rows: rows_total, ...counts, ...(failure && { failure: failure.message }) };
  return { title, data, json: done };
}
