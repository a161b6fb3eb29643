import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { cleanUp, preparedDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

it('a service with more paths than the contract, as the bench measures it, has them', async () => {
  const PORT = String(await freePort());
  const env = { DATA_DIR: preparedDataDir(), PORT };
  const { child, output, exited } = run(process.execPath, ['scripts/bench/large-server.ts', '2'], env);
  const ask = (path: string) => fetch(`http://127.0.0.1:${PORT}/v1${path}`).then(({ status }) => status);
  const status = async () => {
    for (;;) {
      if (child.exitCode !== null) throw new Error(output.stderr);
      const answer = await ask('/unused-1/some-id').catch(() => undefined);
      if (answer !== undefined) return answer;
      await sleep(50);
    }
  };
  expect(await status()).toBe(401);
  expect(await ask('/unused-2/some-id')).toBe(404);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});
