import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { TraceQuery } from '../db/trace.ts';
import { createAttemptTracer, type TraceAttempt } from '../deliveries/attempt-spans.ts';
import { createRequestTracer, requestSampler } from '../http/observers/request-spans.ts';

/** Maximum spans that wait to be sent. More are dropped. */
const MAX_QUEUED = 2_048;
/** Minimum milliseconds between two warnings in the log. */
const WARNING_INTERVAL = 60_000;

export interface Tracing {
  traceRequests: ReturnType<typeof createRequestTracer>;
  traceQuery: TraceQuery;
  traceAttempt: TraceAttempt;
  /** Log fields for the current span. */
  logFields(): object;
  /** Logs when traces can't be sent, at most once a minute. */
  warnBy(logger: Logger): void;
  /** Sends the waiting spans. Takes as long as the receiver does. */
  stop(): Promise<void>;
}

/** Sends traces as configured by OpenTelemetry's own variables, such as OTEL_EXPORTER_OTLP_…, which its SDK reads. */
export function startTracing({ share }: NonNullable<Config['traces']>): Tracing {
  const resource = resourceFromAttributes({
    'service.name': 'lead-pipeline-api',
    'service.version': packageJson.version,
  }).merge(detectResources({ detectors: [envDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler: requestSampler(share),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), maxQueueSize: MAX_QUEUED })],
  });
  const tracer = provider.getTracer('lead-pipeline-api', packageJson.version);
  const storage = new AsyncLocalStorage<Context>();
  return {
    traceRequests: createRequestTracer(tracer, storage),
    traceAttempt: createAttemptTracer(tracer, storage),
    traceQuery({ name, text }, run) {
      const parent = storage.getStore();
      // The service polls its queues: spans outside of a request or a delivery would only be noise.
      if (parent === undefined) return run();
      const span = tracer.startSpan(
        name ?? firstWord(text),
        { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } },
        parent,
      );
      return run()
        .catch((error: { code?: unknown }) => {
          span.setStatus({ code: SpanStatusCode.ERROR });
          // Not the message, which may quote values.
          span.setAttribute('error.type', String(error.code ?? 'unknown'));
          throw error;
        })
        .finally(() => span.end());
    },
    logFields() {
      const span = trace.getSpanContext(storage.getStore() ?? ROOT_CONTEXT);
      return span === undefined ? {} : { trace_id: span.traceId };
    },
    warnBy(logger) {
      let mutedUntil = 0;
      setGlobalErrorHandler((error) => {
        if (performance.now() < mutedUntil) return;
        mutedUntil = performance.now() + WARNING_INTERVAL;
        logger.warn({ err: error }, 'Traces can not be sent to OTEL_EXPORTER_OTLP_ENDPOINT.');
      });
    },
    stop: () => provider.shutdown(),
  };
}

/** `select` for `select * from leads`: there is no better name for an unnamed query. */
function firstWord(text: string): string {
  return /\w+/.exec(text)?.[0]?.toLowerCase() ?? 'query';
}
