/** Keeps a copy of all leads in an SQLite file. Stop it with Ctrl-C. */
import { DatabaseSync } from 'node:sqlite';
import { createLeadPipeline } from './client.ts';
import { mirrorLeads } from './mirror.ts';
import { setting } from './settings.ts';

const api = createLeadPipeline({
  baseUrl: setting('BASE_URL'),
  clientId: setting('CLIENT_ID'),
  clientSecret: setting('CLIENT_SECRET'),
});
// Milliseconds to wait for another program that has locked the file, even for reading.
const db = new DatabaseSync(setting('DATABASE', 'leads.sqlite'), { timeout: 10_000 });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

try {
  await mirrorLeads(api, db, stop.signal);
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  db.close();
}
