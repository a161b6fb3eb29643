/**
 * A subscriber that answers every delivery after 20 ms. Says its port, and then, a line for each line
 * that it reads, what has come: how many, when the last came, and how long each was on its way.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const ANSWER_AFTER = 20;

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
    setTimeout(() => res.writeHead(204).end(), ANSWER_AFTER);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
createInterface(process.stdin).on('line', () => {
  console.log(JSON.stringify({ count, lastAt, delays }));
  delays = [];
});
