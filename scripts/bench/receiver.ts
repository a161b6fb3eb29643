/**
 * A subscriber that answers every delivery after 20 ms. Prints its port, then one line of JSON for each line that it
 * reads: the number of deliveries, the time of the last one, and the latencies since the previous line.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** Milliseconds. */
const RESPONSE_DELAY = 20;

let count = 0;
let lastAt = 0;
let delays: number[] = [];

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    count += 1;
    lastAt = Date.now();
    const { occurred_at } = JSON.parse(Buffer.concat(chunks).toString());
    delays.push(lastAt - Date.parse(occurred_at));
    setTimeout(() => res.writeHead(204).end(), RESPONSE_DELAY);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
createInterface(process.stdin).on('line', () => {
  console.log(JSON.stringify({ count, lastAt, delays }));
  delays = [];
});
