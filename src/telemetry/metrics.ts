import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { Database } from '../db/database.ts';
import { createAttemptMetrics, type ObserveAttempt } from '../deliveries/attempt-metrics.ts';
import type { Environment } from '../environment.ts';
import { createRequestMetrics } from '../http/observers/request-metrics.ts';
import { createBacklogReader } from './backlog.ts';
import { createGauges, type Source } from './gauges.ts';

export interface Metrics {
  observeRequests: ReturnType<typeof createRequestMetrics>;
  observeAttempt: ObserveAttempt;
  observeDeletion(environment: Environment, kind: string, deleted: number): void;
  contentType: string;
  /** Adds the environment's metrics. */
  add(context: Context): void;
  /** All metrics in Prometheus' text format. Concurrent scrapes share one reading. */
  render(): Promise<string>;
  close(): Promise<unknown>;
}

export function createMetrics({ role, environments }: Pick<Config, 'role' | 'environments'>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'lead_pipeline_build_info',
    help: 'Always 1. The labels say what runs.',
    labelNames: ['version', 'node', 'role'] as const,
    registers: [registry],
  });
  build.set({ version: packageJson.version, node: process.version, role }, 1);
  const deletions = new Counter({
    name: 'lead_pipeline_deleted_total',
    help: 'What housekeeping has deleted because it was old or surplus.',
    labelNames: ['environment', 'kind'] as const,
    registers: [registry],
  });
  const databases: Database[] = [];
  const sources: Source[] = [];
  const readGauges = createGauges(registry, environments, sources);
  let rendering: Promise<string> | undefined;

  async function render(): Promise<string> {
    await readGauges();
    return registry.metrics();
  }

  return {
    observeRequests: createRequestMetrics(registry),
    observeAttempt: createAttemptMetrics(registry),
    observeDeletion: (environment, kind, deleted) => deletions.inc({ environment, kind }, deleted),
    contentType: registry.contentType,
    add(context) {
      // A connection of its own: those of the pool may all be waiting just when the metrics are needed most.
      const database = new Database(context.database.url, 1, {
        ...context.database,
        primary: context.primary,
      });
      databases.push(database);
      sources.push({ ...context, readBacklog: createBacklogReader(database) });
    },
    render() {
      rendering ??= render().finally(() => {
        rendering = undefined;
      });
      return rendering;
    },
    close: () => Promise.all(databases.map((database) => database.close())),
  };
}
