import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';

describe('REDIS_URL', () => {
  it.each([
    'redis://localhost',
    'redis://10.0.0.7:6380/',
    'redis://:pass%25word@[::1]:6379/15',
    'rediss://api:hunter2@redis.example.com:6380/1',
  ])('%s is used unchanged', (url) => {
    expect(loadConfig({ REDIS_URL: url }).redisUrl).toBe(url);
  });

  it.each([
    ['another scheme', 'http://api:hunter2@redis'],
    ['no host', 'redis:///1'],
    ['a database name instead of a number', 'redis://api:hunter2@redis/leads'],
    ['a password that is not encoded', 'redis://:hunter2%@redis'],
  ])('with %s it is rejected, and not shown', (_, url) => {
    expect(() => loadConfig({ REDIS_URL: url })).toThrow(
      'REDIS_URL is invalid: it must be redis://user:password@host:port/number, or rediss:// for TLS.',
    );
  });
});
