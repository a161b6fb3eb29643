import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/process/config.ts';

describe('the configuration', () => {
  it('serves metrics on the loopback unless it is told otherwise', () => {
    expect(loadConfig({ METRICS_PORT: '0' }).metrics).toEqual({ host: '127.0.0.1', port: 0 });
    expect(() => loadConfig({ METRICS_HOST: '10.0.0.11' })).toThrow('METRICS_PORT is missing');
    expect(() => loadConfig({ METRICS_PORT: 'x' })).toThrow('METRICS_PORT is "x": it must be a port');
  });
});
