import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';

describe('webhooks of the sandbox may have addresses of the loopback', () => {
  const allowed = (env: NodeJS.ProcessEnv) => loadConfig(env).targetRules.allowLoopback;

  it.each<NodeJS.ProcessEnv>([{}, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '127.0.0.2' }])(
    'if the service listens there only: %j',
    (env) => expect(allowed(env)).toBe(true),
  );

  it.each<NodeJS.ProcessEnv>([
    { HOST: '0.0.0.0', TRUST_PROXY: '1' },
    { TRUST_PROXY: 'loopback' },
    { PUBLIC_URL: 'https://api.example.com' },
    { ROLE: 'worker' },
    { ROLE: 'api' },
  ])('unless others can reach it: %j', (env) => expect(allowed(env)).toBe(false));
});
