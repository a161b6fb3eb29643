/** The stage of the Dockerfile that builds the pages has all files that the build needs. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp, newDataDir } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const project = join(import.meta.dirname, '../..');

afterAll(cleanUp);

it('builds the guides, the docs page and the pipeline page', async () => {
  const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8');
  const [, stage = ''] = /AS pages\n(.*?)\nFROM /s.exec(dockerfile) ?? [];
  const [, command = ''] = /^RUN node (.*)$/m.exec(stage) ?? [];
  const folder = newDataDir();
  for (const [, files = ''] of stage.matchAll(/^COPY (.*) \S+$/gm)) {
    for (const file of files.split(' ')) {
      // As .dockerignore says, nothing that was built before.
      const filter = (path: string) => !/\/(dist|pages|cache)(\/|$)/.test(path.slice(project.length));
      await cp(join(project, file), join(folder, file), { recursive: true, filter });
    }
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, [command], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  for (const file of ['guides/dist/index.html.br', 'docs/dist/search.js', 'pipeline/dist/index.html'])
    expect(existsSync(join(folder, 'web', file)), file).toBe(true);
});
