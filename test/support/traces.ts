/** Receives OpenTelemetry traces, as a collector does. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

export interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** 2: server; 3: client. */
  kind: number;
  /** 2: error. */
  status: number;
  attributes: Record<string, string | number | undefined>;
}

interface Batch {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<Span, 'attributes' | 'status'> & { attributes: Attribute[]; status: { code?: number } })[];
    }[];
  }[];
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

export async function startCollector(
  answer: (res: ServerResponse) => void = (res) => void res.writeHead(200).end('{}'),
) {
  const spans: Span[] = [];
  const resources: Span['attributes'][] = [];
  const requests: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (req, res) => {
    requests.push({ url: req.url, headers: req.headers });
    const { resourceSpans } = (await json(req)) as Batch;
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(valuesOf(resource.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, status: span.status.code ?? 0, attributes: valuesOf(span.attributes) });
      }
    }
    answer(res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;
