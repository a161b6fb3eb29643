import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';

const production = { DATABASE_URL: 'postgres://api@db/leads', SECRET_KEY: '0123456789abcdef'.repeat(4) };
const both = { ...production, SANDBOX_DATABASE_URL: 'postgres://api@db/leads_sandbox' };

describe('ENVIRONMENTS', () => {
  it('needs the database of the only environment, and ignores the variables of the other', () => {
    const urls = { production: both.DATABASE_URL };
    for (const env of [production, both, { ...both, SANDBOX_DATABASE_URL: 'not a URL' }])
      expect(loadConfig({ ...env, ENVIRONMENTS: 'production' }).databases).toEqual(urls);
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    [
      'an unknown environment',
      { ENVIRONMENTS: 'staging' },
      'ENVIRONMENTS is "staging": it must be production, sandbox or production,sandbox.',
    ],
    [
      'the same environment twice',
      { ENVIRONMENTS: 'sandbox,sandbox' },
      'ENVIRONMENTS is "sandbox,sandbox": it must be production, sandbox or production,sandbox.',
    ],
    [
      'only the database of the other environment',
      { ...production, ENVIRONMENTS: 'sandbox' },
      'SANDBOX_DATABASE_URL is missing: DATABASE_URL is set, and ENVIRONMENTS is sandbox.',
    ],
  ])('rejects %s', (_what, env, fault) => {
    expect(() => loadConfig(env)).toThrow(new ConfigError(fault));
  });
});
