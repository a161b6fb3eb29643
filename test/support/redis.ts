import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { freePort } from '../../src/process/free-port.ts';
import { certificate, privateKey } from './certificate.ts';
import { Program } from './programs.ts';

export const REDIS_PASSWORD = 'correct-horse';

export interface Redis {
  url: string;
  /** Over TLS, with the certificate of the tests. */
  secureUrl: string;
  /** The file of the CA that issued its certificate. */
  caFile: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Keeps its connections, and accepts new ones, but does not answer until it is resumed. */
  freeze(): void;
  goOn(): void;
  command(...words: string[]): Promise<unknown>;
  close(): Promise<void>;
}

/** A Redis with a password, without files. */
export async function createRedis(): Promise<Redis> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const program = new Program('redis-server', port);
  const file = (name: string, text: string) => {
    writeFileSync(join(program.folder, name), text);
    return join(program.folder, name);
  };
  const cert = file('cert.pem', certificate);
  const settings = {
    ...{ bind: '127.0.0.1', port, save: '', appendonly: 'no', requirepass: REDIS_PASSWORD },
    ...{ 'tls-port': tlsPort, 'tls-auth-clients': 'no' },
    ...{ 'tls-cert-file': cert, 'tls-ca-cert-file': cert, 'tls-key-file': file('key.pem', privateKey) },
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const url = `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}`;
  return {
    url,
    secureUrl: `rediss://:${REDIS_PASSWORD}@localhost:${tlsPort}/1`,
    caFile: cert,
    start: () => program.start(args),
    kill: () => program.end(),
    freeze: () => program.signal('SIGSTOP'),
    goOn: () => program.signal('SIGCONT'),
    async command(...words) {
      const client = await createClient({ url }).connect();
      try {
        return await client.sendCommand(words);
      } finally {
        client.destroy();
      }
    },
    close: () => program.close(),
  };
}
