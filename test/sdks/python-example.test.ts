/** The programs of examples/python, type-checked, formatted and run with the packages that its pyproject.toml names. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { testFollower } from '../examples/follower.ts';
import { testReceiver } from '../examples/receiver.ts';
import { run } from '../support/process.ts';
import { missing } from '../support/programs.ts';
import { createVenv } from './openapi-generator.ts';
import { createWorkshop, execute } from './tools.ts';

const example = join(import.meta.dirname, '../../examples/python');
const skipped = missing('python3');

// The name says what is missing. Its hooks must not run either.
describe.skipIf(skipped)(`examples/python${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  let workshop: Awaited<ReturnType<typeof createWorkshop>>;
  let folder: string;
  let bin: string;

  beforeAll(async () => {
    workshop = await createWorkshop();
    folder = join(workshop.root, 'example');
    await cp(example, folder, { recursive: true });
    bin = await createVenv(join(workshop.root, 'venv'), ['--editable', `${folder}[check]`]);
  }, 400_000);

  afterAll(() => workshop.remove());

  it("is typed and formatted, like its README's example", async () => {
    const readme = await readFile(join(example, 'README.md'), 'utf8');
    const [, program = ''] = /```python\n(.*?)```/s.exec(readme) ?? [];
    await writeFile(join(folder, 'lead_pipeline/readme.py'), program);
    const PATH = [bin, process.env.PATH].join(delimiter);
    for (const command of ['mypy lead_pipeline', 'ruff check', 'ruff format --check']) {
      await execute(folder, 'sh', ['-c', command], { PATH });
    }
  }, 120_000);

  describe('The follower', () => testFollower((env) => run(join(bin, 'lead-pipeline-follow'), [], env)));

  describe('The receiver', () => testReceiver((env) => run(join(bin, 'lead-pipeline-receive'), [], env)));
});
