/** The last log lines of a process that exits. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createLogger } from '../../src/process/logger.ts';

const LINES = 20_000;

/** Logs many lines and exits before any of them can be written in the background. */
const program = `
  import { createLogger } from './src/process/logger.ts';
  const logger = createLogger('info');
  for (let n = 1; n <= ${LINES}; n += 1) logger.info({ n }, 'line');
  process.exit(3);`;

/** Runs the program with this stderr. */
const start = (stderr: 'pipe' | number) =>
  spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', stderr],
  });

it('no line is lost when the process exits', async () => {
  const child = start('pipe');
  const [log, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  expect(code).toBe(3);
  const numbers = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).n);
  expect(numbers).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
});

it('the process exits even if the disk of the log is full', async () => {
  const full = openSync('/dev/full', 'w');
  const child = start(full);
  closeSync(full);
  const [code] = await once(child, 'close', { signal: AbortSignal.timeout(15_000) }).catch(async (error) => {
    child.kill('SIGKILL');
    throw error;
  });
  expect(code).toBe(3);
});

it('no part of a message is cut off', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  logger.error({ err: new Error('The file a - b.csv - copy is missing.') }, 'Failed.');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'Failed.', err: { message: 'The file a - b.csv - copy is missing.' } },
  ]);
});
