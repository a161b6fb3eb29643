/** Which responses and events of the contract the tests have seen. Each worker writes them to a file. */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Operation, operations } from '../../generated/operations.ts';
import { basePaths, environmentAt } from '../../src/environment.ts';
import { endpoints, readDocument } from './document.ts';
import { isRecording, record } from './recorded-answers.ts';

const PREFIX = 'contract-coverage-';

const variablesIn = (path: string) => path.split('{').length;

/** Those with fewer variables first: `/leads/export` is no lead. */
const templates = Object.entries<Operation>(operations)
  .toSorted(([, one], [, other]) => variablesIn(one.path) - variablesIn(other.path))
  .map(([id, { method, path }]) => ({
    id,
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${path.replaceAll(/{\w+}/g, '[^/?]+')}$`),
  }));

/** Seen by this worker. */
const seen = new Set<string>();

/** Notes every response that Node's HTTP client (which supertest uses) and fetch get in this process. */
export function observeAnswers(): void {
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const { method, path } = request;
    const { statusCode: status = 0, headers, push } = response;
    noteAnswer(method, path, status);
    if (status < 400 && !isRecording) return;
    const chunks: Buffer[] = [];
    // A listener for its data would take the body from the client.
    response.push = (chunk, encoding) => {
      if (chunk === null) noteBody({ method, path, status, headers, chunks });
      else chunks.push(chunk);
      return push.call(response, chunk, encoding);
    };
  });
  const kept = new WeakMap<object, Omit<Whole, 'method' | 'path' | 'chunks'> & { chunks: Buffer[] }>();
  subscribe('undici:request:headers', (message) => {
    const { request, response } = message as { request: FetchRequest; response: FetchResponse };
    const { statusCode: status, headers } = response;
    noteAnswer(request.method, request.path, status);
    if (status < 400 && !isRecording) return;
    kept.set(request, { status, headers: parseHeaders(headers), chunks: [] });
  });
  subscribe('undici:request:bodyChunkReceived', (message) => {
    const { request, chunk } = message as { request: FetchRequest; chunk: Buffer };
    kept.get(request)?.chunks.push(Buffer.from(chunk));
  });
  subscribe('undici:request:trailers', (message) => {
    const { request } = message as { request: FetchRequest };
    const answer = kept.get(request);
    if (answer !== undefined) noteBody({ method: request.method, path: request.path, ...answer });
  });
}

interface FetchRequest {
  method: string;
  path: string;
}

interface FetchResponse {
  statusCode: number;
  /** Names and values by turns. */
  headers: Buffer[];
}

function parseHeaders(raw: readonly Buffer[]): Record<string, string> {
  const pairs = raw.flatMap((name, index) =>
    index % 2 === 0 ? [[String(name).toLowerCase(), String(raw[index + 1])]] : [],
  );
  return Object.fromEntries(pairs);
}

interface Whole {
  method: string;
  /** With the query. */
  path: string;
  status: number;
  headers: Record<string, string | string[] | undefined>;
  chunks: readonly Buffer[];
}

function noteBody({ method, path, status, headers, chunks }: Whole): void {
  const body = Buffer.concat(chunks);
  if (status >= 400) noteCode(method, path, body.toString());
  const found = operationAt(method, path);
  if (found === undefined) return;
  record({ method, target: path, template: found.path, status }, headers, body);
}

export function noteAnswer(method: string, target: string, status: number): void {
  const name = answerName(method, target, status);
  if (name !== undefined) note(name);
}

/** The error code in the body of an answer. */
export function noteCode(method: string, target: string, body: string): void {
  const id = operationAt(method, target)?.id;
  const [, code] = /"code": ?"(\w+)"/.exec(body) ?? [];
  if (id !== undefined && code !== undefined) note(`code ${id} ${code}`);
}

/** An event that a subscriber received. */
export function noteEvent(type: string): void {
  note(`webhook ${type}`);
}

/** `GET /leads/{id} 200`. Undefined for a request to somewhere else. */
export function answerName(method: string, target: string, status: number): string | undefined {
  const found = operationAt(method, target);
  return found && `${method} ${found.path} ${status}`;
}

function operationAt(method: string, target: string) {
  const environment = environmentAt(target);
  if (environment === undefined) return undefined;
  const [path = ''] = target.slice(basePaths[environment].length).split('?');
  return templates.find((one) => one.method === method && one.pattern.test(path));
}

function note(name: string): void {
  if (seen.has(name)) return;
  seen.add(name);
  appendFileSync(join(tmpdir(), `${PREFIX}${process.pid}`), `${name}\n`);
}

/** The responses and events that all workers of this run have seen. */
export function readSeen(folder: string): Set<string> {
  const files = readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  return new Set(files.flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n')));
}

/** The documented answers and events that are not among those seen. */
export function unreached(seen: ReadonlySet<string>): string[] {
  const { paths, webhooks } = readDocument();
  const answers = Object.entries(paths).flatMap(([path, { parameters: _, ...item }]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
  const events = Object.keys(webhooks).map((type) => `webhook ${type}`);
  return [...answers, ...events].filter((name) => !seen.has(name));
}

/**
 * The error codes that an operation gave although the document doesn't name them for it. A status that it doesn't document
 * comes from another path, such as a 405 of /leads/batch, or from an environment that is switched off.
 */
export function unlistedCodes(seen: ReadonlySet<string>): string[] {
  const document = readDocument();
  const codes = new Map(Object.entries(document['x-error-codes']));
  const byId = new Map(endpoints(document).map((endpoint) => [endpoint.operationId, endpoint]));
  return [...seen].filter((name) => {
    const [kind, id = '', code = ''] = name.split(' ');
    const { status = 0, when } = codes.get(code) ?? {};
    const { responses = {}, 'x-error-codes': listed = [] } = byId.get(id) ?? {};
    return kind === 'code' && status in responses && when !== 'always' && !listed.includes(code);
  });
}

/** The error codes of openapi/error-codes-by-operation.yaml that no test has seen. */
export function unseenCodes(seen: ReadonlySet<string>): string[] {
  const file = new URL('../../openapi/error-codes-by-operation.yaml', import.meta.url);
  const listed: Record<string, string[]> = parse(readFileSync(file, 'utf8'));
  const names = Object.entries(listed).flatMap(([id, codes]) => codes.map((code) => `code ${id} ${code}`));
  return names.filter((name) => !seen.has(name));
}
