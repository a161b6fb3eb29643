/** Options that are given twice, and folders that the operator may not use. */
import { chmodSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, cli, preparedDataDir, run } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

afterAll(cleanUp);

it('an option that accepts only one value is rejected if it is repeated', async () => {
  const both = ['--environment', 'sandbox', '--environment', 'production'];
  expect(await cli({}, 'clients', 'list', ...both)).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: option '--environment <environment>' can be given only once\n",
  });
});

describe.runIf(process.getuid?.() === 0)('a data folder of another user', () => {
  it.each([0o700, 0o755])('with mode %o is explained', async (mode) => {
    const dataDir = preparedDataDir();
    chmodSync(dataDir, mode);
    const other = ['--reuid=65533', '--regid=65533', '--clear-groups'];
    const command = [process.execPath, 'src/cli.ts', 'clients', 'list', '--environment', 'sandbox'];
    const { output, exited } = run('setpriv', [...other, ...command], { DATA_DIR: dataDir });
    expect(await exited).toBe(1);
    expect(output.stderr).toMatch(
      /^\/.* can't be (read|opened)\. It belongs to another user: run this as the user who started the service, or set DATA_DIR to .+\.\n$/,
    );
  });
});
