/** The settings' file, which systemd and the shell read. docs/deployment.md says to put each value in single quotes. */
import { expect, it, vi } from 'vitest';
import { Machine, noMachine } from '../support/machine.ts';

vi.setConfig({ testTimeout: 120_000 });

it('an environment file has the same values for systemd and for the shell, with spaces, quotes, $, & and #', async ({
  skip,
}) => {
  if (noMachine !== undefined) skip(noMachine);
  const machine = await Machine.boot();
  try {
    const values = ['a b', '$HOME & $(id)', 'x#y #z', '"quoted" \\ back\\n', 'p%27w&?=+/', ' ends ', '`id`'];
    const lines = values.map((value, index) => `VALUE_${index}='${value}'`);
    await machine.write('/root/values', lines.join('\n'));
    const show =
      "node -p 'JSON.stringify(Object.entries(process.env).filter(([name]) => /^VALUE_/.test(name)).sort())'";
    const byShell = await machine.output(`set -a; . /root/values; ${show}`);
    await machine.write('/root/show', show);
    const bySystemd = await machine.output(
      'systemd-run --quiet --pipe --wait --property=EnvironmentFile=/root/values sh /root/show',
    );
    expect(JSON.parse(byShell)).toEqual(values.map((value, index) => [`VALUE_${index}`, value]));
    expect(bySystemd).toBe(byShell);
  } finally {
    await machine.close();
  }
});
