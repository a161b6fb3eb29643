import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { Database } from '../db/database.ts';
import { createAttemptMetrics, type ObserveAttempt } from '../deliveries/attempt-metrics.ts';
import { createRequestMetrics } from '../http/observers/request-metrics.ts';
import { createBacklogReader } from './backlog.ts';
import { createGauges } from './gauges.ts';

export interface Metrics {
  observeRequests: ReturnType<typeof createRequestMetrics>;
  observeAttempt: ObserveAttempt;
  contentType: string;
  /** All metrics in Prometheus' text format. Those who ask at once get the same. */
  render(): Promise<string>;
  close(): Promise<unknown>;
}

export function createMetrics(contexts: readonly Context[], { role }: Pick<Config, 'role'>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'lead_pipeline_build_info',
    help: 'Always 1. The labels say what runs.',
    labelNames: ['version', 'node', 'role'] as const,
    registers: [registry],
  });
  build.set({ version: packageJson.version, node: process.version, role }, 1);
  // Connections of their own: those of the pool may all be waiting just when the metrics are needed most.
  const databases = contexts.map(
    ({ database, primary }) => new Database(database.url, 1, { ...database, primary }),
  );
  const gauges = contexts.map((context, index) => ({
    ...context,
    readBacklog: createBacklogReader(databases[index] as Database),
  }));
  const readGauges = createGauges(registry, gauges);
  let rendering: Promise<string> | undefined;

  async function render(): Promise<string> {
    await readGauges();
    return registry.metrics();
  }

  return {
    observeRequests: createRequestMetrics(registry),
    observeAttempt: createAttemptMetrics(registry),
    contentType: registry.contentType,
    render() {
      rendering ??= render().finally(() => {
        rendering = undefined;
      });
      return rendering;
    },
    close: () => Promise.all(databases.map((database) => database.close())),
  };
}
