import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** A scrape that takes longer is cut off. Milliseconds. */
const TIMEOUT = 10_000;
/** Maximum connections. More are refused, so that scrapers that read nothing take little memory. */
const MAX_CONNECTIONS = 16;

interface MetricsServer {
  /** Where the metrics are. */
  url: string;
  close(): void;
}

/** Serves `GET /metrics` over plain HTTP, to anyone who reaches the address. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'render' | 'contentType'>,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const timeouts = { headersTimeout: TIMEOUT, requestTimeout: TIMEOUT };
  const server = createServer(timeouts, async (req, res) => {
    const timer = setTimeout(() => res.destroy(), TIMEOUT).unref();
    res.once('close', () => clearTimeout(timer));
    const path = req.url?.split('?', 1)[0];
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (path !== '/metrics' || !isRead) return res.writeHead(path === '/metrics' ? 405 : 404).end();
    try {
      const text = await metrics.render();
      res.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': Buffer.byteLength(text) });
      res.end(text);
    } catch {
      res.writeHead(500).end();
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(describeListenError(error, host, port), { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function describeListenError({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is already in use. Set METRICS_PORT to another port.`;
  if (code === 'EACCES')
    return `This user has no permission to listen on port ${port}. Set METRICS_PORT to another port.`;
  return `Cannot listen on METRICS_HOST "${host}": ${message}.`;
}
