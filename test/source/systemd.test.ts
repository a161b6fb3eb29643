/** The units start the service as the image does, with a configuration that it takes. */
import { describe, expect, it } from 'vitest';
import { configOf, readFile, secrets } from '../support/deployment.ts';
import { commandOf, imageEnv } from '../support/dockerfile.ts';

const chapter = readFile('docs/deployment.md');
/** Of the file that the chapter makes. */
const settings = [
  ...(/environment <<EOF\n([\s\S]*?)^EOF$/m.exec(chapter)?.[1] ?? '').matchAll(/^(\w+)=(.*)$/gm),
];
const units = ['lead-pipeline-api@.service', 'lead-pipeline-worker.service'].map((name) => {
  const text = readFile(`deploy/systemd/${name}`).replaceAll('%i', '3001').replaceAll('%C', '/var/cache');
  const valuesOf = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const env: Record<string, string> = Object.fromEntries(
    valuesOf('Environment')
      .flatMap((value) => value.split(' '))
      .map((variable) => variable.split('=')),
  );
  return { name, env, valuesOf, text };
});

describe('the units', () => {
  it.each(units)('give $name a configuration that it takes', ({ name, env, valuesOf }) => {
    const file = Object.fromEntries(settings.map(([, key = '', value = '']) => [key, secrets[key] ?? value]));
    const { role, port, host, metrics, trustProxy } = configOf({ ...file, ...env }, {});
    const isApi = name.includes('@');
    expect(role).toBe(isApi ? 'api' : 'worker');
    if (isApi) expect(port).toBe(3001);
    expect({ host, trustProxy }).toEqual({ host: '127.0.0.1', trustProxy: ['loopback'] });
    expect(metrics?.port).toBe(isApi ? 13001 : 13000);
    expect(valuesOf('EnvironmentFile')).toEqual(['/etc/lead-pipeline-api/environment']);
  });

  it.each(units)('start $name as the image does', ({ env, valuesOf }) => {
    expect(valuesOf('ExecStart')).toEqual([['/usr/bin/node', ...commandOf('CMD').slice(1)].join(' ')]);
    expect(env.NODE_ENV).toBe(imageEnv.NODE_ENV);
  });

  it.each(units)('give $name no right that it does not need, and time to stop', ({ valuesOf }) => {
    for (const key of ['DynamicUser', 'NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices'])
      expect(valuesOf(key), key).toEqual(['yes']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('CapabilityBoundingSet')).toEqual(['']);
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(12);
  });
});
