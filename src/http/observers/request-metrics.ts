import type { Request, RequestHandler } from 'express';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { hasResponded } from './logging.ts';

/** Upper bounds in seconds. Only long polls, uploads and exports take longer than 20. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/**
 * Counts and times each request. All label values are known in advance, so that no client can add series: for an unknown
 * path, the operation is `unknown`.
 */
export function createRequestMetrics(registry: Registry): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: 'lead_pipeline_http_requests_total',
    help: 'Requests that have ended, by operation of the contract and status; "none" if the client left before.',
    labelNames: ['environment', 'operation', 'status'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'lead_pipeline_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['environment', 'operation'] as const,
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'lead_pipeline_http_requests_in_flight',
    help: 'Requests that have not been answered yet.',
    registers,
  });
  const limited = new Counter({
    name: 'lead_pipeline_rate_limited_total',
    help: 'Requests that got a 429, by class of the rate limit; "other" if it was no quota.',
    labelNames: ['environment', 'class'] as const,
    registers,
  });

  return (req, res, next) => {
    const startedAt = performance.now();
    inFlight.inc();
    res.once('close', () => {
      inFlight.dec();
      const { environment = 'none', match } = req as Partial<Request>;
      const operation = match?.id ?? 'unknown';
      const status = hasResponded(req, res) ? res.statusCode : 'none';
      requests.inc({ environment, operation, status });
      duration.observe({ environment, operation }, (performance.now() - startedAt) / 1000);
      if (status === 429) limited.inc({ environment, class: exhaustedClass(req) });
    });
    next();
  };
}

/** The class whose quota is exhausted, by the response's header. */
function exhaustedClass({ responseHeaders }: Request): string {
  return /"([\w-]+)"; r=0;/.exec(responseHeaders?.RateLimit ?? '')?.[1] ?? 'other';
}
