import { type AddressInfo, createServer, type Socket } from 'node:net';

interface RawReceiver {
  url: string;
  /** Bytes that `pour()` has written to all connections. */
  poured: number;
  close(): Promise<void>;
}

/** A server that answers every request with these bytes, unchanged. */
export async function startRawReceiver(
  speak: (socket: Socket, pour: (head: string, endless: string) => void) => void,
): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    speak(socket, (head, endless) => pour(socket, head, endless));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    poured: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  /** Writes the head once, then the rest again and again, as fast as it is read. */
  function pour(socket: Socket, head: string, endless: string): void {
    const block = Buffer.from(endless.repeat(Math.ceil(65_536 / endless.length)));
    const write = () => {
      let isTaken = !socket.destroyed;
      while (isTaken) {
        receiver.poured += block.length;
        isTaken = socket.write(block) && !socket.destroyed;
      }
    };
    socket.once('data', () => {
      socket.write(head);
      socket.on('drain', write);
      write();
    });
  }

  return receiver;
}
