import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/process/free-port.ts';
import { certificate, privateKey } from './certificate.ts';
import { project } from './embedded.ts';
import { Program } from './programs.ts';

const shipped = (name: string) => readFileSync(join(project, 'deploy/nginx', name), 'utf8');

/** The site that docs/deployment.md installs. */
export const site = shipped('lead-pipeline-api.conf');
const main = shipped('compose.conf');

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
  const [, server = ''] = /^ +server api-1:3000(.*\n)/m.exec(main) ?? [];
  const servers = ports.map((one) => `server 127.0.0.1:${one}${server}`).join('');
  const writeConfig = (name: string, text: string, changes: [string | RegExp, string][]) => {
    const config = changes.reduce((before, [from, to]) => {
      const changed = before.replace(from, to.replaceAll('$', '$$$$'));
      if (changed === before) throw new Error(`deploy/nginx has no ${from} in ${name}.`);
      return changed;
    }, text);
    writeFileSync(inFolder(name), config);
  };
  writeConfig('nginx.conf', main, [
    [/( +server api-\d:3000.*\n)+/, servers],
    ['/etc/nginx/', `${program.folder}/`],
    [/\/tmp\//g, `${program.folder}/`],
  ]);
  writeConfig('lead-pipeline-api.conf', site, [
    ['listen 80;', `listen 127.0.0.1:${port};`],
    ['listen 443', `listen 127.0.0.1:${await freePort()}`],
    ['proxy_read_timeout 25s;', `proxy_read_timeout ${readTimeout}s;`],
    ['X-Forwarded-Proto $scheme', 'X-Forwarded-Proto https'],
    [/\/etc\/nginx\/tls\//g, `${program.folder}/`],
    [/\/var\/log\/nginx\//g, `${program.folder}/`],
  ]);
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
