import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between the service and PostgreSQL that can start to drop packets. */
export interface Network {
  /** The address of the same database behind it. */
  through(databaseUrl: string): string;
  /** From now on, existing connections carry nothing in either direction, and none is closed. */
  freeze(): void;
  /** New connections are accepted but carry nothing, until this is called with false. Frozen ones stay frozen. */
  freezeNew(frozen: boolean): void;
  /** Loses the server's answer to the next COMMIT, and closes its connection. */
  loseCommit(): void;
  /** Delays the server's answers to the next COMMIT and to what is sent together with it. Milliseconds. */
  delayCommit(milliseconds: number): void;
  /** From now on, each response of the server is delayed by this many milliseconds. */
  slow(milliseconds: number): void;
  /** Closes all connections. New ones lead to that server. */
  lead(serverUrl: string): void;
  /** New connections lead to that server. Existing ones stay. */
  leadNew(serverUrl: string): void;
  /** New connections lead to these servers in turn. */
  balance(serverUrls: string[]): void;
  /** How many connections there are, on either side. */
  connections(): number;
  close(): Promise<void>;
}

/** The end of the client's message Query. */
const COMMIT = 'commit\0';
/** The end of PostgreSQL's message CommandComplete. */
const COMMITTED = 'COMMIT\0';

export async function startNetwork(serverUrl: string): Promise<Network> {
  let targets = [new URL(serverUrl)];
  let turn = 0;
  const sockets = new Set<Socket>();
  let takesNew = true;
  let losesCommit = false;
  let commitDelay = 0;
  let delay = 0;

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  }

  function swallow(socket: Socket): void {
    socket
      .removeAllListeners('data')
      .removeAllListeners('end')
      .removeAllListeners('error')
      .on('error', () => undefined)
      .on('data', () => undefined);
  }

  // The other side's end is passed on, or dropped, like everything else.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    keep(socket);
    if (!takesNew) return swallow(socket);
    turn += 1;
    const target = targets[turn % targets.length] as URL;
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    keep(upstream);
    upstream.once('error', () => socket.destroy());
    let ownDelay = 0;
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (from === socket && chunk.includes(COMMIT)) {
          ownDelay = commitDelay;
          commitDelay = 0;
        }
        const wait = ownDelay || delay;
        if (losesCommit && from === upstream && chunk.includes(COMMITTED)) {
          losesCommit = false;
          socket.resetAndDestroy();
          upstream.destroy();
        } else if (from === upstream && wait > 0) setTimeout(() => to.write(chunk), wait);
        else to.write(chunk);
      });
      from.on('end', () => to.end());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${own}`;
      return url.href;
    },
    freeze() {
      for (const socket of sockets) swallow(socket);
    },
    freezeNew(frozen) {
      takesNew = !frozen;
    },
    loseCommit() {
      losesCommit = true;
    },
    delayCommit(milliseconds) {
      commitDelay = milliseconds;
    },
    slow(milliseconds) {
      delay = milliseconds;
    },
    lead(serverUrl) {
      targets = [new URL(serverUrl)];
      for (const socket of sockets) socket.destroy();
    },
    leadNew(serverUrl) {
      targets = [new URL(serverUrl)];
    },
    balance(serverUrls) {
      targets = serverUrls.map((url) => new URL(url));
    },
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
