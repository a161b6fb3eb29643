/** What a process need not load when it starts. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const project = join(import.meta.dirname, '../..');

it('the service starts without undici', () => {
  const script = `
    await import('./src/app.ts');
    await import('./src/process/service.ts');
    console.log(process.moduleLoadList.join());`;
  const args = ['--input-type=module', '--eval', script];
  const loaded = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect(loaded).toContain('NativeModule http,');
  expect(loaded.match(/[\w/]*undici[\w/]*/g)).toBe(null);
});
