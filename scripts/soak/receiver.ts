import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Behaviour = 'normally' | 'unavailable' | 'nothing';

export interface Receiver {
  url: string;
  /** How often each event arrived and was accepted, by its id. */
  received: Map<string, number>;
  /** How it answers from now on: 204, 503, or not at all. What it does not accept does not count. */
  answer(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, number>();
  let current: Behaviour = 'normally';
  const server = createServer((req, res) => {
    const behaviour = current;
    const id = String(req.headers['webhook-id']);
    req.resume().on('end', () => {
      if (behaviour === 'unavailable') res.writeHead(503).end();
      if (behaviour !== 'normally') return;
      received.set(id, (received.get(id) ?? 0) + 1);
      res.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(behaviour) {
      current = behaviour;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
