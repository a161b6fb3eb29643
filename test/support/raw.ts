import { connect } from 'node:net';
import { noteAnswer, noteCode } from './coverage.ts';

export interface RawAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  headers: Record<string, string>;
  body: string;
}

const PATIENCE = 5_000;
/** Precedes the response to a request with `Expect: 100-continue`. */
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Sends bytes that no HTTP client would send, and reads the first response. `end` closes the sending side. */
export function sendRaw(origin: string, text: string | Buffer, { end = false } = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const request = Buffer.from(text);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      const answer = parseAnswer(received);
      const [method = '', target = ''] = request.toString('latin1', 0, request.indexOf('\r\n')).split(' ');
      noteAnswer(method, target, answer.status);
      if (answer.status >= 400) noteCode(method, target, answer.body);
      resolve(answer);
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`There was no complete response to ${JSON.stringify(request.toString().slice(0, 200))}`),
      );
    }, PATIENCE);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.indexOf(CONTINUE) === 0) received = received.subarray(CONTINUE.length);
      if (isComplete(received, request)) finish();
    });
    socket.on('end', finish);
    socket.on('error', finish);
    socket.write(request);
    if (end) socket.end();
  });
}

/** The head of a request with `Host` and the given headers, ready for a body. */
export function requestHead(method: string, target: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'api.test', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

function isComplete(received: Buffer, request: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const { status, headers } = parseAnswer(received.subarray(0, end + 4));
  if (status === 204 || status === 304 || request.toString('latin1', 0, 5) === 'HEAD ') return true;
  if (headers['transfer-encoding'] === 'chunked')
    return received.toString('latin1').endsWith('\r\n0\r\n\r\n');
  const length = headers['content-length'];
  return length !== undefined && received.length - end - 4 >= Number(length);
}

function parseAnswer(received: Buffer): RawAnswer {
  const text = received.toString('utf8');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end === -1 ? 0 : end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers,
    body: end === -1 ? '' : text.slice(end + 4),
  };
}
