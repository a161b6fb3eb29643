/** Uploads, runs and reads imports. */
import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/api.ts';
import type { Context } from '../../src/context.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { runJobs } from './jobs.ts';

type Schemas = components['schemas'];
export type Import = Schemas['Import'];
export type ImportError = Schemas['ImportError'];

/** The lines of a CSV file. */
export function csv(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The lines of an NDJSON file. */
export function ndjson(...rows: unknown[]): string {
  return csv(...rows.map((row) => JSON.stringify(row)));
}

/** Headers of a file that announces that it is too large. The service reads the rest of it on this connection. */
export const tooLargeFile = { 'Content-Length': '300000000', Connection: 'close' };

/** Sends a file. `query` is that of `POST /imports`, and leads are the default. A file that begins with { is NDJSON. */
export function upload(client: TestClient, file: string | Buffer, query = '') {
  const resource = query.includes('resource=') ? '' : 'resource=leads&';
  const bytes = Buffer.from(file);
  const type = bytes.subarray(0, 1).toString() === '{' ? 'application/x-ndjson' : 'text/csv';
  return client.post(`/imports?${resource}${query}`).set('Content-Type', type).send(bytes);
}

/** Sends a valid file. With `changes`, it starts after these, as `query` says. */
export async function send(
  client: TestClient,
  file: string | Buffer,
  query = '',
  changes?: object,
): Promise<Import> {
  if (changes !== undefined) return sendAndChange(client, file, new URLSearchParams(query), changes);
  const { data } = (await upload(client, file, query).expect(202)).body;
  // In spite of doubts.
  if (!query.includes('start=true') || data.status !== 'draft') return data;
  return (await client.post(`/imports/${data.id}/start`).expect(202)).body.data;
}

async function sendAndChange(
  client: TestClient,
  file: string | Buffer,
  query: URLSearchParams,
  changes: object,
): Promise<Import> {
  const start = query.get('start');
  query.set('start', 'false');
  const { id } = await send(client, file, query.toString());
  const { body } = await client.patch(`/imports/${id}`, changes).expect(200);
  const starts = start === null ? body.data.doubts.length === 0 : start === 'true';
  if (!starts) return body.data;
  const options = { dry_run: query.get('dry_run') === 'true' };
  return (await client.post(`/imports/${id}/start`, options).expect(202)).body.data;
}

export async function readImport(client: TestClient, id: string): Promise<Import> {
  const { body } = await client.get(`/imports/${id}`).expect(200);
  return body.data;
}

export async function errorsOf(client: TestClient, id: string): Promise<ImportError[]> {
  const { body } = await client.get(`/imports/${id}/errors?per_page=100`).expect(200);
  return body.data;
}

/** Sends a file and imports it. */
export async function importFile(
  { production }: { production: Context },
  client: TestClient,
  file: string | Buffer,
  query = '',
  changes?: object,
): Promise<Import> {
  const { id } = await send(client, file, query, changes);
  await runJobs(production);
  return readImport(client, id);
}

/** The imports (UUIDs) of rows that are stored without an import that could use them. */
export async function leftovers({ production: { knex } }: TestApp): Promise<string[]> {
  return knex('import_chunks').whereNotIn('import_id', knex('jobs').select('id')).pluck('import_id');
}

interface Imported {
  done: Import;
  /** By the start of their addresses. */
  leads: Record<string, { name: string; company: string | null }>;
}

/** Replaces each @ by @ and a domain that no other test has, imports the file even if there are doubts, and reads the leads. */
export async function importPeople(
  app: { production: Context },
  client: TestClient,
  file: string | Buffer,
  query = '',
): Promise<Imported> {
  const domain = `@${randomUUID()}.example`;
  const bytes = Buffer.from(file).toString('latin1').replaceAll('@', domain);
  const done = await importFile(app, client, Buffer.from(bytes, 'latin1'), `start=true&${query}`);
  const search = encodeURIComponent(domain.slice(1));
  const { body } = await client.get(`/leads?search=${search}&per_page=100`).expect(200);
  const found = body.data.map(({ email, name, company }: Record<string, string>) => [
    email?.split('@')[0],
    { name, company },
  ]);
  return { done, leads: Object.fromEntries(found) };
}

/** Changes how an import is read. */
export async function changeImport(client: TestClient, id: string, changes: object): Promise<Import> {
  const { body } = await client.patch(`/imports/${id}`, changes).expect(200);
  return body.data;
}

/** Starts a draft or a tried import, and runs it to its end. */
export async function startImport({ production }: TestApp, client: TestClient, id: string): Promise<Import> {
  await client.post(`/imports/${id}/start`).expect(202);
  await runJobs(production);
  return readImport(client, id);
}
