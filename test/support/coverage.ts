/** Which responses and events of the contract the tests have seen. Each worker writes them to a file. */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, operations } from '../../generated/operations.ts';
import { basePaths, environmentAt } from '../../src/environment.ts';
import { readDocument } from './document.ts';

const PREFIX = 'contract-coverage-';

const templates = Object.values<Operation>(operations).map(({ method, path }) => ({
  method: method.toUpperCase(),
  path,
  pattern: new RegExp(`^${path.replaceAll(/{\w+}/g, '[^/?]+')}$`),
}));

/** Seen by this worker. */
const seen = new Set<string>();

/** Records every response that Node's HTTP client (which supertest uses) and fetch get in this process. */
export function observeAnswers(): void {
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    noteAnswer(request.method, request.path, response.statusCode ?? 0);
  });
  subscribe('undici:request:headers', (message) => {
    const { request, response } = message as {
      request: { method: string; path: string };
      response: { statusCode: number };
    };
    noteAnswer(request.method, request.path, response.statusCode);
  });
}

export function noteAnswer(method: string, target: string, status: number): void {
  const name = answerName(method, target, status);
  if (name !== undefined) note(name);
}

/** An event that a subscriber received. */
export function noteEvent(type: string): void {
  note(`webhook ${type}`);
}

/** `GET /leads/{id} 200`. Undefined for a request to somewhere else. */
export function answerName(method: string, target: string, status: number): string | undefined {
  const environment = environmentAt(target);
  if (environment === undefined) return undefined;
  const [path = ''] = target.slice(basePaths[environment].length).split('?');
  const found = templates.find((one) => one.method === method && one.pattern.test(path));
  return found && `${method} ${found.path} ${status}`;
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
