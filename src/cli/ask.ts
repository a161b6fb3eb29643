import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';

/** Whether somebody can answer a question. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks on stderr, since stdout gets the result. Ctrl-D and Ctrl-C answer with an empty text, so that the command can undo what
 * it has begun. After Ctrl-C, its exit code is that of the signal.
 */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once('SIGINT', () => {
    process.once('exit', () => {
      process.exitCode = 128 + constants.signals.SIGINT;
    });
    terminal.close();
  });
  const closed = new Promise<void>((resolve) => terminal.once('close', resolve));
  try {
    const answer = await Promise.race([terminal.question(question), closed]).catch(() => undefined);
    if (typeof answer === 'string') return answer;
    process.stderr.write('\n');
    return '';
  } finally {
    terminal.close();
  }
}
