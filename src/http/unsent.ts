import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** A client that takes nothing of its answer for so long is cut off (milliseconds). */
const PATIENCE = 30_000;
const LOOK_INTERVAL = 1_000;
/**
 * Answers that wait to be taken have no more than this together, over all connections (bytes). It is beside what the
 * system buffers for each connection, which is megabytes, so that a slow reader of one page mostly counts nothing here.
 */
const MAX_UNSENT = 8 * 1024 * 1024;

interface Connection {
  /** Of its answers that are made and not yet taken, also those that wait for an earlier one on the connection. */
  unsent: number;
  /** What waits for the client in libuv, when it was looked at last. */
  queued: number;
  /** When the client last took something, or nothing waited for it. */
  movedAt: number;
}

/**
 * Bounds what clients leave unread. Where too much waits, the connection whose client has taken nothing for the longest
 * is cut, not the newest request refused: otherwise a few that don't read would keep all others from being answered.
 */
export class UnsentAnswers {
  readonly #connections = new Map<Socket, Connection>();
  #total = 0;

  /** Cuts, from now on, clients of the server that have stopped reading. */
  watch(server: Server): void {
    const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(event, (socket: Socket) => this.#open(socket));
    const timer = setInterval(() => this.#look(), LOOK_INTERVAL).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Counts an answer that has just been given to its connection, until its client has taken all of it. */
  add(res: ServerResponse): void {
    const bytes = res.writableLength;
    const { socket } = res.req;
    const connection = this.#connections.get(socket);
    if (bytes === 0 || connection === undefined) return;
    if (connection.unsent === 0) connection.movedAt = performance.now();
    connection.unsent += bytes;
    this.#total += bytes;
    res.once('finish', () => {
      // Otherwise all of the connection's went with it.
      if (!this.#connections.has(socket)) return;
      connection.movedAt = performance.now();
      connection.unsent -= bytes;
      this.#total -= bytes;
    });
    while (this.#total > MAX_UNSENT) this.#cutStalest();
  }

  #open(socket: Socket): void {
    this.#connections.set(socket, { unsent: 0, queued: 0, movedAt: performance.now() });
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    this.#total -= this.#connections.get(socket)?.unsent ?? 0;
    this.#connections.delete(socket);
  }

  #look(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#connections) {
      const queued = queuedOn(socket);
      if (queued === 0 || queued !== connection.queued) connection.movedAt = now;
      connection.queued = queued;
      if (now - connection.movedAt >= PATIENCE) this.#cut(socket);
    }
  }

  #cutStalest(): void {
    const waiting = [...this.#connections].filter(([, { unsent }]) => unsent > 0);
    const [first, ...others] = waiting;
    if (first === undefined) return;
    const [socket] = others.reduce(
      (stalest, one) => (one[1].movedAt < stalest[1].movedAt ? one : stalest),
      first,
    );
    this.#cut(socket);
  }

  #cut(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }
}

/** Node's own time-out of a socket looks at this number too; what is public of a socket tells only whether all was taken. */
function queuedOn(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return handle?.writeQueueSize ?? 0;
}
