import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Maximum bytes of a response on the wire: interim responses, headers, chunk sizes and trailers included. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** Bytes that the HTTP parser gets at a time. It can't be stopped within a piece, and a larger piece could hold a hundred responses. */
const PIECE_BYTES = 2 * 1024;

/** Maximum TLS session tickets per response. They cost time, but are not part of the data. Servers send two per connection. */
const MAX_TICKETS = 20;

class TooManyTickets extends Error {
  override name = 'TooManyTickets';
  override message = `The server sent more than ${MAX_TICKETS} TLS session tickets.`;
}

/** The response has more bytes than a receiver may send. */
export class ResponseTooLong extends Error {
  override name = 'ResponseTooLong';
  override message = `The response is longer than ${MAX_RESPONSE_BYTES / 1024} KiB, headers included.`;
}

/**
 * A connection to an untrusted server, which limits what each response costs. It counts bytes before they are parsed, and
 * passes them on in small pieces, so that destroying the request takes effect between two pieces.
 */
export class MeteredSocket extends Duplex {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #left = MAX_RESPONSE_BYTES;
  #tickets = 0;
  #isWanted = false;
  #hasEnded = false;

  constructor(socket: Socket) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket.pause();
    socket.on('data', (data) => {
      socket.pause();
      this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
      this.#passOn();
    });
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#passOn();
    });
    socket.on('session', () => {
      this.#tickets += 1;
      if (this.#tickets > MAX_TICKETS) this.destroy(new TooManyTickets());
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Call for each request that uses the connection. */
  startResponse(): void {
    this.#left = MAX_RESPONSE_BYTES;
    this.#tickets = 0;
  }

  /** Whether nothing of the current response has arrived. */
  get isSilent(): boolean {
    return this.#left === MAX_RESPONSE_BYTES;
  }

  override _read(): void {
    this.#isWanted = true;
    this.#passOn();
  }

  #passOn(): void {
    if (!this.#isWanted || this.destroyed) return;
    if (this.#received.length === 0) {
      if (this.#hasEnded) this.push(null);
      else this.#socket.resume();
      return;
    }
    const piece = this.#received.subarray(0, PIECE_BYTES);
    this.#received = this.#received.subarray(piece.length);
    this.#left -= piece.length;
    this.#isWanted = false;
    if (this.#left < 0) this.destroy(new ResponseTooLong());
    else this.push(piece);
  }

  override _write(data: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(data, encoding, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  // What http.Agent calls on a connection that it keeps.

  setKeepAlive(enable: boolean, delay: number): this {
    this.#socket.setKeepAlive(enable, delay);
    return this;
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  ref(): this {
    this.#socket.ref();
    return this;
  }

  unref(): this {
    this.#socket.unref();
    return this;
  }
}
