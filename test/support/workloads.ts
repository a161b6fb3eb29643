/** The processes of the service that compose.yaml, deploy/kubernetes and deploy/systemd start, as data. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import { parse, parseAllDocuments } from 'yaml';
import { commandOf, imageEnv } from './dockerfile.ts';

const project = join(import.meta.dirname, '../..');

type Env = Record<string, string>;

export interface Workload {
  name: string;
  command: string[];
  /** Secrets that the operator makes are missing. */
  env: Env;
  /** Ports and paths of the health checks. */
  probes: { port: number; path: string }[];
  /** Seconds between SIGTERM and SIGKILL. */
  grace: number;
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

interface ComposeService {
  build?: string;
  command?: string[];
  environment: Env;
  stop_grace_period: string;
}

const read = (path: string) => readFileSync(join(project, path), 'utf8');

export const compose = parse(read('compose.yaml'), { merge: true });
export const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: project }).flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS() as Manifest),
);

const ofKind = <Kind extends Manifest>(kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind) as Kind[];

function composeWorkloads(): Workload[] {
  const services = Object.entries(compose.services as Record<string, ComposeService>);
  return services
    .filter(([, { build }]) => build !== undefined)
    .map(([name, { command = commandOf('CMD'), environment, stop_grace_period }]) => ({
      name: `compose: ${name}`,
      command,
      env: { ...imageEnv, ...environment },
      probes: [],
      grace: Number.parseInt(stop_grace_period, 10),
    }));
}

function kubernetesWorkloads(): Workload[] {
  const [settings] = ofKind<ConfigMap & Manifest>('ConfigMap');
  const all = [...ofKind<Deployment & Manifest>('Deployment'), ...ofKind<Job & Manifest>('Job')];
  return all.map(({ metadata, spec }) => {
    const pod = spec?.template.spec;
    const [container] = pod?.containers ?? [];
    const own = container?.env?.map(({ name, value = '' }) => [name, value]) ?? [];
    const { startupProbe, readinessProbe, livenessProbe, ports = [] } = container ?? {};
    const probes = [startupProbe, readinessProbe, livenessProbe].flatMap((probe) =>
      probe?.httpGet === undefined ? [] : [probe.httpGet],
    );
    return {
      name: `kubernetes: ${metadata.name}`,
      command: container?.args ?? commandOf('CMD'),
      env: { ...imageEnv, ...settings?.data, ...Object.fromEntries(own) },
      probes: probes.map(({ path = '/', port }) => ({
        path,
        port: ports.find(({ name }) => name === port)?.containerPort ?? 0,
      })),
      grace: pod?.terminationGracePeriodSeconds ?? 30,
    };
  });
}

function systemdWorkloads(): Workload[] {
  const [, file = ''] = /environment <<EOF\n([\s\S]*?)^EOF$/m.exec(read('docs/deployment.md')) ?? [];
  return globSync('deploy/systemd/*.service', { cwd: project }).map((path) => {
    const unit = read(path).replaceAll('%i', '3001');
    const valuesOf = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
    const settings = [...file.trim().split('\n'), ...valuesOf('Environment').join(' ').split(' ')];
    return {
      name: path.replace('deploy/systemd/', 'systemd: '),
      command: valuesOf('ExecStart').join(' ').replace('/usr/bin/', '').split(' '),
      env: Object.fromEntries(
        settings.map((setting) => setting.replaceAll("'", '').split(/=(.*)/s, 2) as [string, string]),
      ),
      probes: [],
      grace: Number(valuesOf('TimeoutStopSec')[0]),
    };
  });
}

export const workloads = [...composeWorkloads(), ...kubernetesWorkloads(), ...systemdWorkloads()];
