import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createContextKey,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Request, RequestHandler } from 'express';
import { routeOf } from '../mcp-operation.ts';
import { hasResponded } from './logging.ts';

const propagator = new W3CTraceContextPropagator();
const TRUSTED = createContextKey('The request has a valid credential.');

/** Samples the traces that clients sample; without a valid credential, only this share of them. */
export function requestSampler(share: number): Sampler {
  const accepts = (context: Context) => context.getValue(TRUSTED) === true || Math.random() < share;
  return new ParentBasedSampler({
    root: new TraceIdRatioBasedSampler(share),
    remoteParentSampled: {
      shouldSample: (context) => ({
        decision: accepts(context) ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
      }),
      toString: () => 'RequestSampler',
    },
  });
}

/**
 * A span for each request, by OpenTelemetry's conventions. Its parent is the client's span if the client sends `traceparent`.
 * It has no path, query, header or address, which may contain secrets and personal data.
 */
export function createRequestTracer(tracer: Tracer, storage: AsyncLocalStorage<Context>): RequestHandler {
  return (req, res, next) => {
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter);
    const start = (context: Context) => {
      const attributes = { 'http.request.method': req.method };
      return tracer.startSpan(req.method, { kind: SpanKind.SERVER, attributes }, context);
    };
    let span = start(parent);
    req.traceId = span.spanContext().traceId;
    req.trustTrace = (proceed) => {
      const { traceFlags = TraceFlags.NONE } = trace.getSpanContext(parent) ?? {};
      if (span.isRecording() || (traceFlags & TraceFlags.SAMPLED) === 0) return proceed();
      const trusted = parent.setValue(TRUSTED, true);
      span = start(trusted);
      storage.run(trace.setSpan(trusted, span), proceed);
    };
    res.once('close', () => {
      const { environment, match, principal, requestId } = req as Partial<Request>;
      if (environment !== undefined) span.setAttribute('lead_pipeline.environment', environment);
      if (environment !== undefined && match !== undefined) {
        const route = routeOf(environment, match);
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
    storage.run(trace.setSpan(parent, span), next);
  };
}
