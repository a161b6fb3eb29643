import type { Request, Response } from 'express';
import { mapInSlices } from '../values/slices.ts';

/** Longer bodies are sent as a Buffer: Node keeps an unsent string beside its bytes, of which it expects three per character. */
const MAX_STRING_LENGTH = 64 * 1024;
/** With more items, `data` is written in slices, which cost a page of a hundred leads a fifth more of Node's CPU. */
const MAX_SHORT_LIST = 100;

/**
 * Sends the response: `body` as JSON, or no body if it is undefined, with the headers that the middlewares collected in
 * `req.responseHeaders`.
 *
 * Passes all headers to writeHead() and a string to end(), which saves 5 to 10 % of a read's CPU: Node validates and stores
 * the header of each setHeader(), and Express's res.json() converts a body over 1,000 characters to a Buffer, which takes
 * two writes.
 */
export function respond(req: Request, res: Response, status: number, body?: unknown): void {
  const headers = req.responseHeaders ?? {};
  if (body === undefined) {
    res.writeHead(status, headers).end();
    return;
  }
  sendJson(req, res, status, JSON.stringify(body));
}

/** The same for the answer of an operation, which may have a long list. Other requests get a turn while it is written. */
export async function respondInSlices(
  req: Request,
  res: Response,
  status: number,
  body: unknown,
): Promise<void> {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length <= MAX_SHORT_LIST) return respond(req, res, status, body);
  const items = await mapInSlices(data, (item) => JSON.stringify(item));
  const members = Object.entries(body as object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${value === data ? `[${items.join()}]` : JSON.stringify(value)}`);
  sendJson(req, res, status, `{${members.join()}}`);
}

function sendJson(req: Request, res: Response, status: number, json: string): void {
  const headers = req.responseHeaders ?? {};
  // The last newline is for people who use curl: their shell's prompt then starts a new line.
  const length = Buffer.byteLength(json) + 1;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(length);
  res.writeHead(status, headers);
  if (length > MAX_STRING_LENGTH) res.end(toLine(json, length));
  else res.end(`${json}\n`, length > json.length + 1 ? 'utf8' : 'latin1');
}

/** The same for a text that is not JSON. */
export function respondText(
  req: Request,
  res: Response,
  status: number,
  { mediaType, text }: { mediaType: string; text: string },
): void {
  const headers = req.responseHeaders ?? {};
  headers['Content-Type'] = `${mediaType}; charset=utf-8`;
  headers['Content-Length'] = String(Buffer.byteLength(text));
  res.writeHead(status, headers).end(text);
}

function toLine(json: string, length: number): Buffer {
  const line = Buffer.allocUnsafe(length);
  line.write(json);
  line.write('\n', length - 1);
  return line;
}
