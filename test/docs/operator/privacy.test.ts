/** The blocks of docs/privacy.md. They need the tour, whose credentials file only the embedded PostgreSQL has. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { tour } from '../../support/newcomer.ts';
import { expectRefusal, expectSuccess, Operator } from '../../support/operator.ts';
import { openShell } from '../../support/shell.ts';

vi.setConfig({ testTimeout: 240_000 });

const steps = openChapter('docs/privacy.md').blocks();
const [createClient = ''] = steps.map(({ text }) => text);
const getToken = tour[0]?.text ?? '';

let operator: Operator;

beforeEach(async () => {
  operator = await Operator.at('the embedded PostgreSQL');
});

afterEach(() => operator.leave());

const officers = () =>
  operator
    .sql('sandbox', "select disabled_at from api_clients where name = 'Privacy'")
    .then(({ length }) => length);

it('the blocks work after the first block of the tour, and twice in one shell with one client', async () => {
  await operator.start();
  const shell = openShell(operator.folder);
  try {
    for (const step of [...tour.slice(0, 1), ...steps, ...steps]) await operator.follow(shell, step);
  } finally {
    shell.close();
  }
  await operator.interrupt();
  expect(await officers()).toBe(1);
});

it('without the variables of the tour, or in another folder, they change nothing and say why', async () => {
  await operator.start();
  await operator.interrupt();
  expectRefusal(await operator.paste(createClient), /API: paste the first block of the tour first/);
  expectRefusal(
    await operator.paste(createClient, { cwd: operator.home, env: { API: 'http://127.0.0.1:1' } }),
    /bin\/lead-pipeline: not found/,
  );
  for (const { text } of steps.slice(1)) expect((await operator.run(text)).status).not.toBe(0);
  const { changes } = await operator.paste(steps.map(({ text }) => text).join(''));
  expect(changes).toEqual([]);
});

it('a block that SIGKILL interrupts is repeated, and a second client of the name is pointed out', async () => {
  await operator.start();
  const interrupt = { signal: 'SIGKILL', when: () => sleep(1_500) } as const;
  expect((await operator.run(`${getToken}${createClient}`, { interrupt })).status).toBe(137);
  const first = await operator.run(`${getToken}${createClient}`);
  expectSuccess(first);
  const second = await operator.run(`${getToken}${createClient}`);
  expectSuccess(second);
  expect(second.stderr).toMatch(/Another enabled client is called Privacy too: client_\w+/);
});
