import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Request, Response } from 'express';

/** A client that reads nothing of its response for this long is disconnected. Milliseconds. */
const READ_TIMEOUT = 30_000;
const CHECK_INTERVAL = 1_000;
/**
 * Maximum unsent response bytes over all connections. Excludes the system's socket buffers, which are megabytes per
 * connection, so a slow reader of one page mostly counts nothing here.
 */
const MAX_UNSENT = 8 * 1024 * 1024;

interface Connection {
  /** The API client that the last response was for, or its address. */
  client: string | undefined;
  /** Bytes of its responses not yet sent, including those queued behind an earlier one on the connection. */
  unsent: number;
  /** Bytes queued in libuv at the last check. */
  queued: number;
  /** When the client last read something, or nothing was queued for it. Milliseconds of performance.now(). */
  progressAt: number;
}

/**
 * Bounds the memory of unread responses. Over the limit it closes connections of the API client that leaves the most unread,
 * the one first on which nothing was read for the longest. Rejecting new requests instead, a few clients that don't read
 * would block all others; and on any client's connection, they would cut off those that read slowly.
 */
export class UnsentResponses {
  readonly #connections = new Map<Socket, Connection>();
  #total = 0;

  /** Starts disconnecting clients of the server that have stopped reading. */
  watch(server: Server): void {
    const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(event, (socket: Socket) => this.#open(socket));
    const timer = setInterval(() => this.#check(), CHECK_INTERVAL).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Counts a response that was just written to its connection, until all of it is sent. */
  add(res: Response): void {
    const bytes = res.writableLength;
    const { socket, principal } = res.req as Partial<Request> & Pick<Request, 'socket'>;
    const connection = this.#connections.get(socket);
    if (bytes === 0 || connection === undefined) return;
    connection.client = principal?.publicId ?? socket.remoteAddress;
    if (connection.unsent === 0) connection.progressAt = performance.now();
    connection.unsent += bytes;
    this.#total += bytes;
    res.once('finish', () => {
      // If the connection was forgotten, its bytes were subtracted already.
      if (!this.#connections.has(socket)) return;
      connection.progressAt = performance.now();
      connection.unsent -= bytes;
      this.#total -= bytes;
    });
    while (this.#total > MAX_UNSENT) this.#cutOne();
  }

  #open(socket: Socket): void {
    this.#connections.set(socket, {
      client: undefined,
      unsent: 0,
      queued: 0,
      progressAt: performance.now(),
    });
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    this.#total -= this.#connections.get(socket)?.unsent ?? 0;
    this.#connections.delete(socket);
  }

  #check(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#connections) {
      const queued = queuedOn(socket);
      if (queued === 0 || queued !== connection.queued) connection.progressAt = now;
      connection.queued = queued;
      if (now - connection.progressAt >= READ_TIMEOUT) this.#cut(socket);
    }
  }

  #cutOne(): void {
    const waiting = [...this.#connections].filter(([, { unsent }]) => unsent > 0);
    const unsentOf = new Map<string | undefined, number>();
    for (const [, { client, unsent }] of waiting) unsentOf.set(client, (unsentOf.get(client) ?? 0) + unsent);
    const most = Math.max(...unsentOf.values());
    const [stalest] = waiting
      .filter(([, { client }]) => unsentOf.get(client) === most)
      .sort(([, one], [, other]) => one.progressAt - other.progressAt);
    if (stalest !== undefined) this.#cut(stalest[0]);
  }

  #cut(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }
}

/** Node's socket timeout uses this number too. The public API only shows whether everything was written. */
function queuedOn(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return handle?.writeQueueSize ?? 0;
}
