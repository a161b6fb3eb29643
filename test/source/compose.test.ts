/** compose.yaml agrees with the files that it names, with the image and with the service's configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configOf, readFile, secrets } from '../support/deployment.ts';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  ports?: string[];
  volumes?: string[];
  networks: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  deploy: { resources: { limits: { cpus: string; memory: string } } };
}

const project = join(import.meta.dirname, '../..');
const text = readFile('compose.yaml');
const { services, networks, volumes } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
};
const all = Object.entries(services);
const own = all.filter(([, { build }]) => build !== undefined);
const apis = own.filter(([, { environment }]) => environment?.ROLE === 'api').map(([name]) => name);
const nginx = readFile('deploy/nginx.conf');
const example = readFile('.env.example');

/** As Compose does it. */
const values: Record<string, string> = { ...secrets, PUBLIC_URL: 'https://api.example.com' };
const fill = (value: string) =>
  value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_variable, name: string) => values[name] ?? 'made-up');

describe('compose.yaml', () => {
  it('has two API processes, a worker, PostgreSQL, Redis, nginx, and migrations that run once', () => {
    expect(Object.keys(services).toSorted()).toEqual(
      ['api-1', 'api-2', 'migrate', 'nginx', 'postgres', 'redis', 'worker'].toSorted(),
    );
    expect(apis).toEqual(['api-1', 'api-2']);
    expect(services.worker?.environment?.ROLE).toBe('worker');
    expect(services.migrate?.command).toEqual(['node', 'scripts/migrate.ts']);
  });

  it.each(own)('gives %s a configuration that it takes', (_name, { environment = {} }) => {
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
    const { databases, redisUrl, trustProxy, metrics } = configOf(env);
    expect(databases?.production).toMatch(/@postgres\/lead_pipeline$/);
    expect(databases?.sandbox).toMatch(/@postgres\/lead_pipeline_sandbox$/);
    expect(redisUrl).toMatch(/@redis$/);
    expect({ trustProxy, metrics }).toEqual({ trustProxy: 1, metrics: { host: '0.0.0.0', port: 9464 } });
  });

  it('starts each service after those that it needs are healthy, or have ended well', () => {
    for (const [, { depends_on = {} }] of all) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const isChecked = services[name]?.build !== undefined || services[name]?.healthcheck !== undefined;
        expect(isChecked, name).toBe(true);
        expect(condition).toBe(name === 'migrate' ? 'service_completed_successfully' : 'service_healthy');
      }
    }
  });

  it.each(all)('gives %s no right that it does not need, and limits', (_name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(Object.keys(service.deploy.resources.limits)).toEqual(['cpus', 'memory']);
  });

  it('waits for the longest stop of the service', () => {
    for (const [name, { stop_grace_period }] of own)
      expect(Number.parseInt(stop_grace_period ?? '', 10), name).toBeGreaterThan(12);
  });

  it('lets the world reach nginx only, and PostgreSQL and Redis nobody but the service', () => {
    expect(all.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['nginx']);
    expect(networks.data?.internal).toBe(true);
    for (const name of ['postgres', 'redis']) expect(services[name]?.networks).toEqual(['data']);
  });

  it('has nginx send requests to the API processes, at their port', () => {
    const { port } = configOf({ ...secrets, TRUST_PROXY: '1' });
    const upstreams = [...nginx.matchAll(/^ +server (\S+):(\d+) /gm)].map(([, name, to]) => [name, to]);
    expect(upstreams).toEqual(apis.map((name) => [name, String(port)]));
    const listening = [...nginx.matchAll(/^ +listen (\d+)/gm)].map(([, to]) => to);
    const published = services.nginx?.ports?.map((mapping) => mapping.split(':')[1]);
    expect(published?.toSorted()).toEqual(listening.toSorted());
  });

  it('mounts files that exist, and the certificate where nginx looks for it', () => {
    const mounts = all.flatMap(([, service]) => service.volumes ?? []).map((mount) => mount.split(':'));
    const files = mounts.filter(([from = '']) => from.startsWith('./'));
    expect(files.length).toBeGreaterThan(1);
    for (const [from = ''] of files) expect(existsSync(join(project, from)), from).toBe(true);
    for (const path of ['/etc/nginx/tls/tls.crt', '/etc/nginx/tls/tls.key']) {
      expect(nginx).toContain(path);
      expect(services.nginx?.volumes?.some((mount) => mount.endsWith(`:${path}:ro`))).toBe(true);
    }
    expect(Object.keys(volumes)).toEqual(['postgres']);
  });

  it('names the databases and the role that deploy/postgresql.sql makes', () => {
    const sql = readFile('deploy/postgresql.sql');
    for (const made of ['role lead_pipeline ', 'database lead_pipeline ', 'database lead_pipeline_sandbox '])
      expect(sql).toContain(`create ${made}`);
    expect(sql).not.toContain('superuser;');
  });

  it('has each of its settings in .env.example, without a secret', () => {
    const needed = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const described = [...example.matchAll(/^(\w+)=(.*)$/gm)];
    expect(described.map(([, name]) => name).toSorted()).toEqual([...needed].toSorted());
    const given = described.filter(([, , value]) => value !== '').map(([, name]) => name);
    expect(given).toEqual(['PUBLIC_URL', 'TLS_CERT_FILE', 'TLS_KEY_FILE']);
    expect(readFile('.gitignore')).toMatch(/^\.env$/m);
  });
});
