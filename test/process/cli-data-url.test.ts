import { afterAll, expect, it, vi } from 'vitest';
import { query } from '../support/embedded.ts';
import { cleanUp, cli, preparedDataDir, startServer } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

const command = ['data', 'url', '--environment', 'production'];

it('data url prints only the address on standard output, so that psql and pg_dump can be given it', async () => {
  const env = { DATA_DIR: preparedDataDir() };
  const server = await startServer(env);
  const { code, stdout, stderr } = await cli(env, ...command);
  expect([code, stderr]).toEqual([0, '']);
  expect(await query(stdout.trim(), 'select current_database() as name')).toEqual([
    { name: 'lead_pipeline_production' },
  ]);
  await server.stop();
  const alone = await cli(env, ...command);
  expect(alone).toEqual({
    code: 0,
    stdout,
    stderr:
      'PostgreSQL runs only while the service or another command does: start the service before you use this address.\n',
  });
});
