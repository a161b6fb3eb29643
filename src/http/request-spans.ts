import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Request, RequestHandler } from 'express';
import { hasResponded } from './logging.ts';

const propagator = new W3CTraceContextPropagator();

/**
 * A span for each request, by OpenTelemetry's conventions, below that of the client if it sends `traceparent`. It has no
 * path, query, header or address: those may have secrets and personal data.
 */
export function createRequestTracer(tracer: Tracer, storage: AsyncLocalStorage<Context>): RequestHandler {
  return (req, res, next) => {
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter);
    const span = tracer.startSpan(
      req.method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': req.method } },
      parent,
    );
    const context = trace.setSpan(parent, span);
    req.traceId = span.spanContext().traceId;
    res.once('close', () => {
      const { context, match, principal, requestId } = req as Partial<Request>;
      if (context !== undefined) span.setAttribute('lead_pipeline.environment', context.environment);
      if (context !== undefined && match !== undefined) {
        const route = context.basePath + match.operation.path;
        span.updateName(`${req.method} ${route}`);
        span.setAttributes({ 'http.route': route, 'lead_pipeline.operation': match.id });
      }
      if (principal?.publicId) span.setAttribute('lead_pipeline.client', principal.publicId);
      if (requestId !== undefined) span.setAttribute('lead_pipeline.request_id', requestId);
      const status = hasResponded(req, res) ? res.statusCode : undefined;
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    storage.run(context, next);
  };
}
