import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const A = 1;

export interface NameServer {
  /** `127.0.0.1:port` */
  address: string;
  /** The names that were queried. */
  asked: string[];
  close(): Promise<void>;
}

/**
 * A name server on the loopback (RFC 1035). It resolves the names in `zone` to their IPv4 addresses, responds that others
 * don't exist, and never responds to those that begin with `hang`.
 */
export async function startNameServer(zone: Record<string, readonly string[]> = {}): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameIn(query);
    asked.push(name);
    if (!name.startsWith('hang')) socket.send(answerTo(query, end, zone[name]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

/** The queried name, which follows the header of 12 bytes, and where the question ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  // The end of the name, type and class.
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function answerTo(query: Buffer, end: number, addresses: readonly string[] | undefined): Buffer {
  const found = query.readUInt16BE(end - 4) === A ? (addresses ?? []) : [];
  const head = Buffer.from(query.subarray(0, end));
  const NO_SUCH_NAME = 3;
  head.writeUInt16BE(0x8180 | (addresses === undefined ? NO_SUCH_NAME : 0), 2);
  head.writeUInt16BE(found.length, 6);
  head.writeUInt32BE(0, 8);
  // Each record: a pointer to the name, type A, class IN, a TTL of zero, four bytes.
  const records = found.map((address) =>
    Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
