import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { toId } from '../values/id.ts';
import type { PendingDelivery } from './queries.ts';
import type { PostResult } from './send.ts';

/** Runs `send`, with headers that let the receiver continue the trace. */
export type TraceAttempt = (
  delivery: PendingDelivery,
  send: (headers: Record<string, string>) => Promise<PostResult>,
) => Promise<PostResult>;

const propagator = new W3CTraceContextPropagator();

/** A span for each attempt that is sent. It shows only the host of the URL, because the rest may contain a secret. */
export function createAttemptTracer(tracer: Tracer, storage: AsyncLocalStorage<Context>): TraceAttempt {
  return async (delivery, send) => {
    const span = tracer.startSpan(
      'POST',
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': 'POST',
          'server.address': new URL(delivery.url).hostname,
          'lead_pipeline.webhook': toId('webhook', delivery.webhook_id),
          'lead_pipeline.delivery': toId('delivery', delivery.id),
          'lead_pipeline.event': toId('event', delivery.event_id),
          'lead_pipeline.event_type': delivery.event_type,
          'lead_pipeline.attempt': delivery.attempt_count + 1,
        },
      },
      ROOT_CONTEXT,
    );
    const context = trace.setSpan(ROOT_CONTEXT, span);
    const headers: Record<string, string> = {};
    propagator.inject(context, headers, defaultTextMapSetter);
    try {
      const result = await storage.run(context, () => send(headers));
      if (result.statusCode !== null) span.setAttribute('http.response.status_code', result.statusCode);
      if (result.statusCode === null || result.statusCode >= 300)
        span.setStatus({ code: SpanStatusCode.ERROR });
      return result;
    } finally {
      span.end();
    }
  };
}
