/** The command with which a container engine checks whether a process answers. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate, privateKey } from '../support/certificate.ts';
import { cleanUp, newDataDir, run } from '../support/process.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await cleanUp();
});

/** Returns the port. */
async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

const answers: RequestListener = (req, res) => {
  const isHealthy = req.url === '/livez' || req.url === '/metrics';
  res.writeHead(isHealthy ? 200 : 404).end();
};
const fails: RequestListener = (_req, res) => res.writeHead(503).end();

const codeOf = (env: Record<string, string>) => run(process.execPath, ['src/healthcheck.ts'], env).exited;

describe('the health check', () => {
  it('of an API process passes if the process is live, and fails otherwise', async () => {
    expect(await codeOf({ PORT: await listen(createServer(answers)) })).toBe(0);
    expect(await codeOf({ PORT: await listen(createServer(fails)) })).toBe(1);
  });

  it('works for a process on all addresses, over HTTPS, whatever name its certificate has', async () => {
    const folder = newDataDir();
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    writeFileSync(TLS_CERT_FILE, certificate);
    writeFileSync(TLS_KEY_FILE, privateKey);
    const PORT = await listen(createTlsServer({ cert: certificate, key: privateKey }, answers));
    expect(await codeOf({ PORT, HOST: '0.0.0.0', TLS_CERT_FILE, TLS_KEY_FILE })).toBe(0);
  });

  it('of a worker requests its metrics, if they are served', async () => {
    const METRICS_PORT = await listen(createServer(answers));
    expect(await codeOf({ ROLE: 'worker', METRICS_PORT })).toBe(0);
    expect(await codeOf({ ROLE: 'worker', METRICS_PORT: await listen(createServer(fails)) })).toBe(1);
    expect(await codeOf({ ROLE: 'worker' })).toBe(0);
  });
});
