/** Receives a webhook's events, and stores them in an SQLite file. Stop it with Ctrl-C. */
import { DatabaseSync } from 'node:sqlite';
import { createReceiver } from './receiver.ts';
import { setting } from './settings.ts';

// Milliseconds to wait for another program that has locked the file, even for reading.
const db = new DatabaseSync(setting('DATABASE', 'inbox.sqlite'), { timeout: 10_000 });
const server = createReceiver(db, setting('WEBHOOK_SECRET'));
server.listen(Number(setting('PORT', '4000')), '127.0.0.1', () => {
  console.log('Listening for events:', server.address());
});

function stop(): void {
  server.close(() => db.close());
  server.closeIdleConnections();
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
