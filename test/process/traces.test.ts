import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../support/deliveries.ts';
import {
  call,
  cleanUp,
  type External,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../support/process.ts';
import { type Collector, type Span, startCollector } from '../support/traces.ts';

const SERVER = 2;
const CLIENT = 3;
/** The trace that the tests' client sends, and records itself. */
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

let external: External;
let receiver: Receiver;

beforeAll(async () => {
  external = await externalDatabases();
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
  await cleanUp();
});

function start(endpoint: string, more: Record<string, string> = {}): Promise<RunningServer> {
  return startServer({
    ...external.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...more,
  });
}

describe('traces', () => {
  let collector: Collector;
  let server: RunningServer;
  let spans: Span[];
  let lead: Awaited<ReturnType<typeof call>>;

  beforeAll(async () => {
    collector = await startCollector();
    server = await start(collector.url, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=its-key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
    });
    const token = await getToken(`${server.url}/v1`, external.credentials);
    const ask = (method: string, path: string, body?: object, headers = {}) =>
      call(token, method, `${server.url}/v1${path}`, body, headers);
    await ask('POST', '/webhooks', { url: receiver.url, event_types: ['lead.created'] });
    lead = await ask('POST', '/leads', { name: 'Ada Lovelace', email: 'ada@example.com' }, { traceparent });
    await ask('GET', '/leads?search=lovelace&per_page=1');
    await ask('GET', '/leads/lead_01h455vb4pex5vsknk084sn02q');
    await ask('GET', '/secret-path');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
    // Stopping exports the remaining spans.
    expect(await server.stop()).toBe(0);
    ({ spans } = collector);
  });

  afterAll(() => collector.close());

  const named = (name: string) => spans.filter((span) => span.name === name);

  it('go to the endpoint, with the headers and attributes of the OTEL_ variables', () => {
    expect(collector.requests[0]).toMatchObject({
      url: '/v1/traces',
      headers: { 'x-collector-key': 'its-key' },
    });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'lead-pipeline-api',
      'service.version': '1.0.0',
      'deployment.environment.name': 'staging',
    });
  });

  it("have a span for each request, as a child of the client's", () => {
    expect(named('POST /v1/leads')).toEqual([
      expect.objectContaining({
        traceId,
        parentSpanId: '00f067aa0ba902b7',
        kind: SERVER,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v1/leads',
          'http.response.status_code': 201,
          'lead_pipeline.operation': 'createLead',
          'lead_pipeline.environment': 'production',
          'lead_pipeline.client': external.credentials.client_id,
          'lead_pipeline.request_id': lead.headers.get('x-request-id'),
        },
      }),
    ]);
  });

  it('begin with a request that has no traceparent', () => {
    const [list] = named('GET /v1/leads');
    expect(list?.parentSpanId).toBeUndefined();
    expect(list?.traceId).not.toBe(traceId);
    expect(named('GET /v1/leads/{id}')).toHaveLength(1);
    expect(named('GET')[0]?.attributes['http.response.status_code']).toBe(404);
  });

  it('have a named span for each query of a request', () => {
    const [request] = named('POST /v1/leads');
    const queries = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    const names = queries.map(({ name }) => name);
    expect(names).toContain('insert_events');
    expect([names.filter((name) => name === 'connect').length, names.at(-1)]).toEqual([1, 'commit']);
    for (const { kind, traceId: id, attributes } of queries) {
      expect([kind, id, attributes]).toEqual([CLIENT, traceId, { 'db.system.name': 'postgresql' }]);
    }
  });

  it("have no spans for the service's background work", () => {
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.filter(({ kind, name }) => kind === CLIENT && name !== 'POST')).toEqual([]);
  });

  it('have a span for each delivery attempt, which the receiver can continue', () => {
    const [attempt] = named('POST');
    expect(attempt).toMatchObject({ kind: CLIENT, status: 0 });
    expect(attempt?.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'http.response.status_code': 204,
      'lead_pipeline.event_type': 'lead.created',
      'lead_pipeline.event': receiver.received[0]?.event.id,
      'lead_pipeline.attempt': 1,
    });
    expect(receiver.received[0]?.headers.traceparent).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`);
  });

  it('have no personal data, no secret and no path', () => {
    const text = JSON.stringify(collector.spans);
    for (const hidden of [
      'Ada',
      'ada@',
      'lovelace',
      'secret-path',
      external.credentials.client_secret,
      '01h455vb4pex5vsknk084sn02q',
    ]) {
      expect(text).not.toContain(hidden);
    }
  });

  it('are named in log lines', () => {
    const lines = server.log().filter(({ operation }) => operation === 'createLead');
    expect(lines).toEqual([expect.objectContaining({ trace_id: traceId })]);
    const text = server.output.stderr.split('\n').find((line) => line.includes('"createLead"')) ?? '';
    expect(text.match(/"trace_id"/g)).toHaveLength(1);
  });
});

describe("a client's trace, while the service itself samples none", () => {
  const stranger = `00-${'0'.repeat(31)}1-00f067aa0ba902b7-01`;

  it('is recorded only with a valid credential, and only if the sender records it', async () => {
    const collector = await startCollector();
    const server = await start(collector.url, { OTEL_TRACES_SAMPLER_ARG: '0' });
    const token = await getToken(`${server.url}/v1`, external.credentials);
    const me = `${server.url}/v1/auth/me`;
    for (const wrong of ['x', '']) {
      expect((await call(wrong, 'GET', me, undefined, { traceparent: stranger })).status).toBe(401);
    }
    await fetch(`${server.url}/v1/nothing`, { headers: { traceparent: stranger } });
    await fetch(`${server.url}/v1/auth/jwks`, { headers: { traceparent: stranger } });
    const unrecorded = traceparent.replace(/01$/, '00');
    await call(token, 'GET', me, undefined, { traceparent: unrecorded });
    await call(token, 'GET', `${server.url}/v1/leads`);
    // Its token is cached, and so is that of the last request.
    await call(token, 'GET', `${server.url}/v1/leads`, undefined, { traceparent });
    const other = await getToken(`${server.url}/v1`, external.credentials);
    await call(other, 'GET', me, undefined, { traceparent });
    expect(await server.stop()).toBe(0);
    const requests = collector.spans.filter(({ kind }) => kind === SERVER);
    expect(requests.map(({ name }) => name)).toEqual(['GET /v1/leads', 'GET /v1/auth/me']);
    expect(requests.every((span) => span.parentSpanId === '00f067aa0ba902b7')).toBe(true);
    expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect(collector.spans.length).toBeGreaterThan(requests.length);
    await collector.close();
  });
});

describe.each([
  ['is down', undefined],
  ['hangs', () => undefined],
  ['answers 503', (res: { writeHead(status: number): { end(): void } }) => res.writeHead(503).end()],
])('an endpoint that %s', (_what, answer) => {
  it('changes nothing for requests, and does not delay the stop', async () => {
    const collector = await startCollector(answer);
    if (answer === undefined) await collector.close();
    const server = await start(collector.url);
    const token = await getToken(`${server.url}/v1`, external.credentials);
    // More spans than fit into one export.
    for (let count = 0; count < 250; count += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => call(token, 'GET', `${server.url}/v1/users`)),
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
    const startedAt = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    if (answer !== undefined) await collector.close();
  });
});
