import { createInterface } from 'node:readline/promises';

/** Whether somebody can answer a question. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks on stderr, since stdout gets the result. Ctrl-D answers with an empty text. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([
      terminal.question(question),
      new Promise<string>((resolve) => terminal.once('close', () => resolve(''))),
    ]);
  } finally {
    terminal.close();
  }
}
