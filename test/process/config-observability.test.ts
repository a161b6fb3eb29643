import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';

describe('the configuration', () => {
  it('serves metrics on the loopback unless METRICS_HOST is set', () => {
    expect(loadConfig({ METRICS_PORT: '0' }).metrics).toEqual({ host: '127.0.0.1', port: 0 });
    const elsewhere = { METRICS_HOST: '10.0.0.11', METRICS_PORT: '9464' };
    expect(loadConfig(elsewhere).metrics).toEqual({ host: '10.0.0.11', port: 9464 });
    expect(() => loadConfig({ METRICS_HOST: '10.0.0.11' })).toThrow('METRICS_PORT is missing');
    expect(() => loadConfig({ METRICS_PORT: 'x' })).toThrow('METRICS_PORT is "x": it must be a port');
  });

  it('has another port for the metrics than for requests, unless they are on other addresses', () => {
    const port = { PORT: '3001', METRICS_PORT: '3001' };
    const fault = 'METRICS_PORT and PORT are both 3001: the metrics need a port of their own.';
    expect(() => loadConfig(port)).toThrow(fault);
    expect(() => loadConfig({ ...port, METRICS_HOST: 'localhost' })).toThrow(fault);
    expect(() => loadConfig({ ...port, METRICS_HOST: '0.0.0.0' })).toThrow(fault);
    for (const METRICS_HOST of ['10.0.0.11', '127.0.0.2'])
      expect(loadConfig({ ...port, METRICS_HOST }).metrics?.port).toBe(3001);
    expect(loadConfig({ ...port, ROLE: 'worker' }).metrics?.port).toBe(3001);
    expect(loadConfig({ PORT: '0', METRICS_PORT: '0' }).metrics?.port).toBe(0);
  });

  it('sends traces if there is an endpoint: all of them, or the configured share', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    expect(loadConfig(env).traces).toEqual({ share: 1 });
    expect(loadConfig({ ...env, OTEL_TRACES_SAMPLER_ARG: '0.05' }).traces).toEqual({ share: 0.05 });
    expect(loadConfig({ OTEL_TRACES_SAMPLER_ARG: '0.05' }).traces).toBeUndefined();
    expect(() => loadConfig({ ...env, OTEL_TRACES_SAMPLER_ARG: '1.5' })).toThrow(
      'OTEL_TRACES_SAMPLER_ARG is "1.5": it must be a number from 0 to 1.',
    );
    expect(() => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318"',
    );
  });
});
