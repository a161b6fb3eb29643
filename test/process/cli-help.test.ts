/** What the commands say about themselves. */
import { afterAll, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readPage } from '../support/markdown.ts';
import { cleanUp, cli, externalDatabases, run } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

const help = async (...args: string[]) => (await cli({}, ...args, '--help')).stdout;

/** The names and descriptions in a section of a help text. */
function entries(text: string, section: string): [name: string, description: string][] {
  const [, lines = ''] = new RegExp(`^${section}:\\n((  .*\\n)+)`, 'm').exec(text) ?? [];
  return [...lines.matchAll(/^ {2}(\S.*?)(?: {2,}(\S.*))?$/gm)].map(([, name = '', what = '']) => [
    name,
    what,
  ]);
}

/** The words of all commands that do something. */
async function commands(...group: string[]): Promise<string[][]> {
  const inside = entries(await help(...group), 'Commands').map(([name]) => name.split(' ')[0] ?? '');
  if (inside.length === 0) return [group];
  const found = inside.filter((name) => name !== 'help').map((name) => commands(...group, name));
  return (await Promise.all(found)).flat();
}

it('every command and option is described, and the chapter names them', async () => {
  const all = await commands();
  expect(all.length).toBeGreaterThan(18);
  const chapter = readPage('docs/command-line.md');
  for (const command of all) {
    const text = await help(...command);
    expect(chapter, command.join(' ')).toContain(`\`${command.join(' ')}`);
    for (const [flags, what] of entries(text, 'Options')) {
      expect(what, `${command.join(' ')} ${flags}`).toMatch(/\w{2}/);
      const name = /--[\w-]+/.exec(flags)?.[0] ?? '';
      if (name !== '--help') expect(chapter, command.join(' ')).toContain(name);
    }
  }
});

it('the exit codes are in the help and in the chapter', async () => {
  const codes = entries(await help(), 'Exit codes').map(([code]) => code);
  expect(codes).toEqual(expect.arrayContaining(['0', '1', '2', '3']));
  for (const code of codes.filter((one) => one.length === 1))
    expect(readPage('docs/command-line.md')).toMatch(new RegExp(`^\\| ${code} \\| `, 'm'));
});

it('--version is the version of the service', async () => {
  expect(await cli({}, '--version')).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it('a command names its database before anything else, without the password, and logs after its result', async () => {
  const { env } = await externalDatabases();
  const url = new URL(env.SANDBOX_DATABASE_URL);
  const args = ['clients', 'create', '--environment', 'sandbox', '--name', 'x', '--scopes', 'leads:read'];
  const command = [process.execPath, 'src/cli.ts', ...args, '--scopes', 'users:read'].join(' ');
  const { output, exited } = run('sh', ['-c', `${command} 2>&1`], env);
  expect(await exited).toBe(0);
  const [first = '', ...lines] = output.stdout.trimEnd().split('\n');
  expect(first).toBe(`Using the sandbox database ${url.hostname}:${url.port}${url.pathname}.`);
  expect(lines[0]).toBe('Created an API client. Its secret is shown only once:');
  expect(output.stdout).toMatch(/^ {2}scopes +leads:read users:read$/m);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ audit: true });
});

it('a command keeps the capital letters of the database that it names', async () => {
  const { env } = await externalDatabases();
  const url = new URL(env.SANDBOX_DATABASE_URL);
  url.pathname = '/Leads_EU';
  const args = ['src/cli.ts', 'clients', 'list', '--environment', 'sandbox'];
  const { output, exited } = run(process.execPath, args, { ...env, SANDBOX_DATABASE_URL: url.href });
  expect(await exited).toBe(1);
  expect(output.stderr).toMatch(/^Using the sandbox database \S+\/Leads_EU\.\n/);
});
