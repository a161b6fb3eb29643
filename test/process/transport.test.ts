import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { certificate, privateKey } from '../support/certificate.ts';
import { cleanUp, cli, externalDatabases, failedStart, run, startServer } from '../support/process.ts';

afterAll(cleanUp);

describe('TLS', () => {
  it('serves HTTPS with HSTS, and neither plain HTTP nor TLS below 1.2', async () => {
    const { env } = await externalDatabases();
    const [certFile, keyFile] = ['cert.pem', 'key.pem'].map((name) => join(env.DATA_DIR, name)) as [
      string,
      string,
    ];
    writeFileSync(certFile, certificate);
    writeFileSync(keyFile, privateKey);
    const server = await startServer({
      ...env,
      HOST: '0.0.0.0',
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
    });
    expect(server.url).toMatch(/^https:\/\/localhost:\d+$/);
    const ask = get(`${server.url}/v1/leads`, { ca: certificate });
    const [answer] = (await once(ask, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    expect(await json(answer)).toMatchObject({ code: 'token_missing' });
    await expect(fetch(`${server.url.replace('https', 'http')}/livez`)).rejects.toThrow();
    // Deprecated by RFC 8996. The client would accept them.
    for (const maxVersion of ['TLSv1', 'TLSv1.1'] as const) {
      const old = {
        ca: certificate,
        minVersion: 'TLSv1',
        maxVersion,
        ciphers: 'DEFAULT@SECLEVEL=0',
      } as const;
      const refused = once(get(`${server.url}/livez`, old), 'response');
      await expect(refused).rejects.toThrow(/alert|protocol/i);
    }
    expect(await server.stop()).toBe(0);
  });
});

describe('with a PUBLIC_URL of https', () => {
  const PUBLIC_URL = 'https://api.example.com';

  it('a process that would serve plain HTTP does not start, and names the two ways out', async () => {
    for (const ROLE of ['all', 'api']) {
      const { code, stderr } = await failedStart({ PUBLIC_URL, ROLE });
      expect([code, stderr]).toEqual([
        1,
        'PUBLIC_URL is "https://api.example.com", but this process would serve plain HTTP, and count all clients as one. If a ' +
          'proxy serves HTTPS in front of it, name the proxy in TRUST_PROXY. Otherwise set TLS_CERT_FILE and TLS_KEY_FILE.\n',
      ]);
    }
  });

  it('a worker, which does not listen, starts without them, and commands run', async () => {
    const { env } = await externalDatabases();
    const listed = await cli({ ...env, PUBLIC_URL }, 'clients', 'list', '--environment', 'production');
    expect(listed.code, listed.stderr).toBe(0);
    const worker = run(process.execPath, ['src/server.ts'], { ...env, PUBLIC_URL, ROLE: 'worker' });
    await expect.poll(() => worker.output.stdout, { timeout: 20_000 }).toContain('delivering webhooks');
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  });
});

describe('behind a proxy', () => {
  it('a request that reached the proxy over plain HTTP is refused, one over https is not', async () => {
    const { env } = await externalDatabases();
    const port = await freePort();
    const server = await startServer({
      ...env,
      PORT: String(port),
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: 'https://api.example',
    });
    expect(server.output.stdout).toContain('https://api.example/sandbox/v1\n');
    const ask = async (scheme: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/leads`, {
        headers: { 'X-Forwarded-Proto': scheme },
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await ask('http')).toEqual([403, 'https_required']);
    expect(await ask('https')).toEqual([401, 'token_missing']);
    // The proxy's own health checks.
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});
