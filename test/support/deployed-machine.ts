/** A machine as docs/deployment.md expects it before its first block, and the releases on it. */
import { certificate, privateKey } from './certificate.ts';
import { project } from './embedded.ts';
import { Machine } from './machine.ts';

export const RELEASES = '/opt/lead-pipeline-api/releases';

/** With release 1.0.0 in its folder, a name and a certificate. */
export async function bootForDeployment(): Promise<Machine> {
  const machine = await Machine.boot();
  await machine.output(
    'systemctl start postgresql redis-server nginx; rm -f /etc/nginx/sites-enabled/default',
  );
  machine.copy(project, `${RELEASES}/1.0.0`, ['node_modules', '.git', '.data', 'test', 'docs/pictures']);
  await machine.write('/etc/nginx/tls/tls.crt', certificate);
  await machine.write('/etc/nginx/tls/tls.key', privateKey);
  await machine.output('echo 127.0.0.1 api.example.com >> /etc/hosts; echo insecure > /root/.curlrc');
  return machine;
}

/** Puts a copy of release 1.0.0 beside it. Links its packages, so that only the first one is installed from npm's cache. */
export function addRelease(machine: Machine, version: string, { isInstalled = true } = {}): Promise<string> {
  return machine.output(`cd ${RELEASES} && rm -rf ${version} && mkdir ${version}
    tar -C 1.0.0 --exclude=./node_modules -c . | tar -C ${version} -x
    ${isInstalled ? `cp -al 1.0.0/node_modules ${version}/` : ''}`);
}

/** The release that a process runs. */
export async function releaseOf(machine: Machine, unit: string): Promise<string> {
  const pid = await machine.output(`systemctl show --property=MainPID --value ${unit}`);
  return machine.output(`basename $(readlink /proc/${pid}/cwd)`);
}

/** Those of both API processes and the worker. */
export function releasesOf(machine: Machine): Promise<string[]> {
  const units = ['lead-pipeline-api@3001', 'lead-pipeline-api@3002', 'lead-pipeline-worker'];
  return Promise.all(units.map((unit) => releaseOf(machine, unit)));
}
