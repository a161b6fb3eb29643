import { Counter, Histogram, type Registry } from 'prom-client';
import type { Environment } from '../environment.ts';
import type { AttemptOutcome } from './outcome-queries.ts';
import type { PendingDelivery } from './queries.ts';

/** Called after each attempt. */
export type ObserveAttempt = (
  environment: Environment,
  delivery: PendingDelivery,
  outcome: AttemptOutcome,
) => void;

export function createAttemptMetrics(registry: Registry): ObserveAttempt {
  const registers = [registry];
  const attempts = new Counter({
    name: 'lead_pipeline_webhook_attempts_total',
    help: 'Attempts to deliver: succeeded, retrying or failed for good; and what the receiver did.',
    labelNames: ['environment', 'outcome', 'answer'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'lead_pipeline_webhook_attempt_duration_seconds',
    help: 'Time that receivers took to answer.',
    labelNames: ['environment'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const latency = new Histogram({
    name: 'lead_pipeline_webhook_delivery_latency_seconds',
    help: 'Time from an event to its successful delivery.',
    labelNames: ['environment'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400],
    registers,
  });

  return (environment, { created_at }, { status, status_code, duration_ms, attempted_at, error }) => {
    const outcome = status === 'pending' ? 'retrying' : status;
    attempts.inc({ environment, outcome, answer: answerOf(status_code, error) });
    if (error?.startsWith('Not sent')) return;
    duration.observe({ environment }, duration_ms / 1000);
    if (status !== 'succeeded') return;
    const milliseconds = Date.parse(attempted_at) + duration_ms - Date.parse(created_at);
    // PostgreSQL's clock may be ahead of this one.
    latency.observe({ environment }, Math.max(0, milliseconds) / 1000);
  };
}

/** `2xx` to `5xx`, `none` without an answer, or `not_sent`. */
function answerOf(statusCode: number | null, error: string | null): string {
  if (statusCode !== null) return `${Math.floor(statusCode / 100)}xx`;
  return error?.startsWith('Not sent') ? 'not_sent' : 'none';
}
