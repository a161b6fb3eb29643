import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';

/** A request that is read while it arrives may take this many times as long as others. */
const LONG = 60;

/** How long the body of a request may take to arrive. */
interface Arrival {
  /** From now on, the limit applies to each pause of the client. The whole request may take 60 times as long. */
  allowLong(): void;
  /** The service stops reading, so the client's time stops too. */
  pause(): void;
  /** The service is waiting for the client again. */
  resume(): void;
}

interface Arriving extends IncomingMessage {
  arrival?: Arrival;
}

/** The options with a requestTimeout for long requests: Node has one for all requests. */
export function withLongRequests(options: ServerOptions): ServerOptions {
  return { ...options, requestTimeout: (options.requestTimeout ?? 0) * LONG };
}

/** Reports a request whose body does not arrive within `timeout` milliseconds as Node would, as a `clientError`. */
export function limitArrival(server: Server, timeout: number): void {
  server.prependListener('request', (req: Arriving, res: ServerResponse) => {
    if (!hasBody(req)) return;
    let isLong = false;
    const report = () => {
      const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!req.complete) server.emit('clientError', late, req.socket);
    };
    let timer = setTimeout(report, timeout);
    const stop = () => clearTimeout(timer);
    const restart = () => {
      stop();
      if (!req.complete) timer = setTimeout(report, timeout);
    };
    // Node would close the connection without a response, also while the service does not read.
    req.setTimeout(0);
    req.once('close', stop).once('end', () => {
      stop();
      if (!res.writableFinished) req.setTimeout(server.timeout);
    });
    req.arrival = {
      allowLong() {
        isLong = true;
        restart();
      },
      pause() {
        if (isLong) stop();
      },
      resume() {
        if (isLong) restart();
      },
    };
  });
}

/** Undefined for a request without a body. */
export function arrivalOf(req: Arriving): Arrival | undefined {
  return req.arrival;
}

/** RFC 9112 section 6.3. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
