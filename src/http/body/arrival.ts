import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { hasBody } from '../request.ts';

/** Factor by which a streamed request may take longer to arrive than others. */
const LONG = 60;

/** Limits how long a request's body may take to arrive. */
interface Arrival {
  /** From now on, the limit applies to each pause, not to the whole body. The whole request may take 60 times as long. */
  allowLong(): void;
  /** The service stops reading, so the client's time must not run. */
  pause(): void;
  /** The service is waiting for the client again. */
  resume(): void;
}

interface Arriving extends IncomingMessage {
  arrival?: Arrival;
}

/** Raises requestTimeout to that of long requests, since Node has one for all requests. */
export function withLongRequests(options: ServerOptions): ServerOptions {
  return { ...options, requestTimeout: (options.requestTimeout ?? 0) * LONG };
}

/** Emits a `clientError`, as Node does, if a request's body does not arrive within `timeout` milliseconds. */
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
    // Node's own timeout would close the connection without a response, even while the service is not reading.
    req.setTimeout(0);
    req.once('close', stop).once('end', () => {
      stop();
      // A file may take longer to read than to arrive.
      if (!res.writableFinished && !isLong) req.setTimeout(server.timeout);
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
