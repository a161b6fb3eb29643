/** Takes in the events of a webhook, and stores them in an SQLite file. Stop it with Ctrl-C. */
import { DatabaseSync } from 'node:sqlite';
import { createReceiver } from './receiver.ts';
import { setting } from './settings.ts';

// Milliseconds to wait for another program that has the file locked, be it only to read it.
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
