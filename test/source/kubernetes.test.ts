/** The manifests have the types of the Kubernetes API, and agree with the image and with the service's configuration. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { ConfigMap, Container, PodSpec } from 'kubernetes-types/core/v1.js';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { configOf, readFile, secrets } from '../support/deployment.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

const folder = join(import.meta.dirname, '../../deploy/kubernetes');
const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFile(`deploy/kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
);
const ofKind = <Kind extends Manifest>(kind: Kind['kind']) =>
  manifests.filter((manifest) => manifest.kind === kind) as Kind[];
const [settings] = ofKind<ConfigMap & Manifest>('ConfigMap');
const workloads = [...ofKind<Deployment & Manifest>('Deployment'), ...ofKind<Job & Manifest>('Job')].map(
  ({ metadata: { name }, spec }) => ({ name, pod: spec?.template.spec as PodSpec }),
);
const processes = workloads.filter(({ name }) => name !== 'migrate');
const containerOf = ({ containers }: PodSpec) => containers[0] as Container;

function configOfPod(pod: PodSpec) {
  const { env = [] } = containerOf(pod);
  const own = Object.fromEntries(env.map(({ name, value = '' }) => [name, value]));
  return configOf({ ...secrets, ...settings?.data, ...own });
}

/** What the compiler says of the manifests, each as a literal of its type: unknown fields are faults too. */
function faults(objects: readonly Manifest[]): string[] {
  const name = join(folder, 'manifests.ts');
  const text = objects
    .map(({ apiVersion, kind, ...rest }, index) => {
      const group = apiVersion.includes('/')
        ? apiVersion.replace(/(\.[\w.]+)?\//, '/')
        : `core/${apiVersion}`;
      const value = JSON.stringify({ apiVersion, kind, ...rest });
      return [
        `import type { ${kind} as Type${index} } from 'kubernetes-types/${group}';`,
        `export const manifest${index}: Type${index} = ${value};`,
      ].join('\n');
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { readFile: read, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? text : read(path));
  host.getSourceFile = (path, target) => ts.createSourceFile(path, host.readFile(path) ?? '', target);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the manifests', () => {
  it('have the fields and types of the Kubernetes API', () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      ...['ConfigMap', 'Deployment', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job'],
      ...['NetworkPolicy', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service'],
    ]);
    const [deployment] = ofKind('Deployment');
    const wrong = { ...deployment, metadata: { name: 1 } } as unknown as Manifest;
    const misspelt = { ...deployment, spek: {} } as unknown as Manifest;
    expect(faults([...manifests, wrong, misspelt])).toEqual([
      "Type 'number' is not assignable to type 'string'.",
      expect.stringContaining('"spek"'),
    ]);
  }, 60_000);

  it.each(workloads)('give $name a configuration that it takes', ({ name, pod }) => {
    const { role, redisUrl, trustProxy } = configOfPod(pod);
    expect(role).toBe(name === 'migrate' ? 'all' : name);
    expect({ redisUrl, trustProxy }).toEqual({ redisUrl: secrets.REDIS_URL, trustProxy: 1 });
    expect(containerOf(pod).envFrom).toEqual([
      { configMapRef: { name: settings?.metadata.name } },
      { secretRef: { name: 'lead-pipeline-api' } },
    ]);
  });

  it.each(workloads)('run $name without rights, on a read-only file system', ({ pod }) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    const { securityContext, resources, image } = containerOf(pod);
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(resources?.limits?.memory).toBeDefined();
    expect(image).toBe(`registry.example.com/lead-pipeline-api:${packageJson.version}`);
  });

  it.each(processes)('check that $name lives, at ports that it has', ({ name, pod }) => {
    const { ports = [], startupProbe, readinessProbe, livenessProbe } = containerOf(pod);
    const { port, metrics } = configOfPod(pod);
    const numbers = Object.fromEntries(ports.map((each) => [each.name, each.containerPort]));
    const isApi = name === 'api';
    expect(numbers).toEqual({ ...(isApi && { http: port }), metrics: metrics?.port });
    const live = isApi ? { path: '/livez', port: 'http' } : { path: '/metrics', port: 'metrics' };
    expect([startupProbe?.httpGet, livenessProbe?.httpGet]).toEqual([live, live]);
    expect(readinessProbe?.httpGet).toEqual(isApi ? { path: '/readyz', port: 'http' } : undefined);
  });

  it.each(processes)('wait for the longest stop of $name', ({ pod }) => {
    const pause = Number(containerOf(pod).lifecycle?.preStop?.exec?.command?.[1] ?? 0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(12 + pause);
  });

  it('keep at least one of each kind while machines are emptied, and scale what exists', () => {
    for (const kind of ['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'Service'])
      for (const { metadata } of ofKind(kind))
        expect(processes.map(({ name }) => name)).toContain(metadata.name);
  });
});
