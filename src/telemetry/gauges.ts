import { Counter, Gauge, type Registry } from 'prom-client';
import type { Context } from '../context.ts';
import type { Environment } from '../environment.ts';
import type { Backlog } from './queries.ts';

export interface Source
  extends Pick<Context, 'environment' | 'db' | 'probe' | 'replica' | 'auth' | 'history'> {
  readBacklog(): Promise<Backlog | undefined>;
}

/**
 * Metrics by environment that are read on each scrape. Returns the function that reads them. `sources` may grow: until an
 * environment has one, its database counts as down.
 */
export function createGauges(
  registry: Registry,
  environments: readonly Environment[],
  sources: readonly Source[],
): () => Promise<void> {
  const registers = [registry];
  const gauge = <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
    new Gauge({
      name: `lead_pipeline_${name}`,
      help,
      labelNames: ['environment', ...labels] as ('environment' | Label)[],
      registers,
    });
  const up = gauge(
    'database_up',
    '1 if the database answered this scrape, or one of the last five seconds; else 0.',
  );
  const copy = gauge('database_copy', '1 if the database is a copy that was not adopted, else 0.');
  const used = gauge('replica_used', '1 if the last report or export was read from the replica, else 0.');
  const connections = gauge('database_connections', 'Connections of the pool, in use or idle.', 'state');
  const limit = gauge('database_connections_limit', 'How many connections the pool may have.');
  const waiting = gauge('database_waiting', 'Work that waits for a connection of the pool.');
  const due = gauge('webhook_deliveries_due', 'Due deliveries, counted up to 10,000.');
  const oldest = gauge('webhook_oldest_due_seconds', 'How long the oldest due delivery has been due.');
  const imports = gauge('imports', 'Imports that wait or run.', 'status');
  const jobs = gauge('bulk_jobs', 'Bulk jobs that wait or run.', 'status');
  const held = gauge(
    'events_held',
    'Events that are not in the feed yet, because an older one is not decided.',
  );
  const changes = gauge(
    'counter_changes',
    'Changes of lead counters that are not folded yet, counted up to 10,000.',
  );
  const retention = gauge(
    'retention_lag_seconds',
    "How far the deletion of old data is behind the database's clock. More than an hour if a wrong clock holds it back.",
  );
  const slot = gauge(
    'replication_slot_retained_bytes',
    'The most WAL that a replication slot keeps on the primary. It grows while a replica is gone.',
  );
  const cache = new Counter({
    name: 'lead_pipeline_credential_cache_total',
    help: 'Credentials of requests: remembered ("hit"), or verified anew ("miss").',
    labelNames: ['environment', 'result'] as const,
    registers,
  });
  const restored = new Counter({
    name: 'lead_pipeline_log_restored_total',
    help: 'How often the log of events was found to lack history: events committed by this process, or cursors of followers.',
    labelNames: ['environment', 'seen_by'] as const,
    registers,
  });
  for (const environment of environments) up.set({ environment }, 0);
  const ofDatabase = [due, oldest, imports, jobs, held, changes, retention, slot];

  async function read(source: Source): Promise<void> {
    const { environment, db, probe, replica, auth, history, readBacklog } = source;
    const { size, idle, waiting: queued, max } = db.connections();
    connections.set({ environment, state: 'used' }, size - idle);
    connections.set({ environment, state: 'idle' }, idle);
    limit.set({ environment }, max);
    waiting.set({ environment }, queued);
    copy.set({ environment }, probe.known()?.isCopy ? 1 : 0);
    if (replica !== undefined) used.set({ environment }, replica.isUsed() ? 1 : 0);
    const { hits, misses } = auth.cacheCounts();
    cache.inc({ environment, result: 'hit' }, hits);
    cache.inc({ environment, result: 'miss' }, misses);
    restored.inc({ environment, seen_by: 'process' }, history.counts.lost);
    restored.inc({ environment, seen_by: 'follower' }, history.counts.rejected);
    const backlog = await readBacklog();
    up.set({ environment }, backlog === undefined ? 0 : 1);
    if (backlog === undefined) return;
    due.set({ environment }, backlog.due);
    oldest.set({ environment }, backlog.oldest_due);
    imports.set({ environment, status: 'queued' }, backlog.imports_queued);
    imports.set({ environment, status: 'running' }, backlog.imports_running);
    jobs.set({ environment, status: 'queued' }, backlog.bulk_jobs_queued);
    jobs.set({ environment, status: 'running' }, backlog.bulk_jobs_running);
    held.set({ environment }, backlog.events_held);
    changes.set({ environment }, backlog.counter_changes);
    retention.set({ environment }, backlog.retention_lag);
    slot.set({ environment }, backlog.slot_retained);
  }

  return async () => {
    // Leave out what can't be read, instead of showing an old value.
    for (const metric of [...ofDatabase, cache, restored]) metric.reset();
    await Promise.all(sources.map(read));
  };
}
