import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/process/free-port.ts';
import { certificate, privateKey } from './certificate.ts';
import { project } from './embedded.ts';
import { Program } from './programs.ts';

const example = readFileSync(join(project, 'deploy/nginx.conf'), 'utf8');

export interface Nginx {
  /** Origin. */
  url: string;
  /** Where it keeps its files. */
  folder: string;
  close(): Promise<void>;
}

/**
 * nginx with the shipped configuration, in front of processes on these ports. It acts as if a proxy in front of it did
 * HTTPS, and gives up on a process after `readTimeout` seconds.
 */
export async function startNginx(ports: readonly number[], readTimeout: number): Promise<Nginx> {
  const port = await freePort();
  const program = new Program('nginx', port);
  // Its workers run as another user.
  chmodSync(program.folder, 0o755);
  const inFolder = (name: string) => join(program.folder, name);
  writeFileSync(inFolder('tls.crt'), certificate);
  writeFileSync(inFolder('tls.key'), privateKey);
  const [, server = ''] = /^ +server api-1:3000(.*\n)/m.exec(example) ?? [];
  const servers = ports.map((one) => `server 127.0.0.1:${one}${server}`).join('');
  const changes: [string | RegExp, string][] = [
    [/( +server api-\d:3000.*\n)+/, servers],
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ['listen 8443', `listen 127.0.0.1:${await freePort()}`],
    ['proxy_read_timeout 25s;', `proxy_read_timeout ${readTimeout}s;`],
    ['X-Forwarded-Proto $scheme', 'X-Forwarded-Proto https'],
    [/\/etc\/nginx\/tls\//g, `${program.folder}/`],
    [/\/tmp\//g, `${program.folder}/`],
  ];
  const config = changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to.replaceAll('$', '$$$$'));
    if (changed === text) throw new Error(`deploy/nginx.conf has no ${from}.`);
    return changed;
  }, example);
  writeFileSync(inFolder('nginx.conf'), config);
  const args = ['-p', program.folder, '-c', inFolder('nginx.conf'), '-e', inFolder('error.log')];
  await program.start([...args, '-g', 'daemon off;']);
  return {
    url: `http://127.0.0.1:${port}`,
    folder: program.folder,
    async close() {
      // A killed master leaves its workers behind.
      await program.end('SIGTERM');
      await program.close();
    },
  };
}
