/** The commands and programs of docs/sdks.md, which these tests run as they are. */
import { expect } from 'vitest';
import { type Command, missingLines, readPage } from '../support/markdown.ts';

interface Section {
  /** Its `sh` blocks: they generate the client in the working directory. */
  commands: string;
  /** Its block of code, the ten lines that use the client. */
  program: string;
  /** The output that it promises, with `…` for anything. */
  output: string;
}

/** The section with this heading. Its commands and programs call the given service. */
export function section(heading: string, { url }: { url: string }): Section {
  const parts = readPage('docs/sdks.md').split(/^##+ /m);
  const text = parts.find((part) => part.startsWith(`${heading}\n`));
  if (text === undefined) throw new Error(`docs/sdks.md has no section "${heading}".`);
  const blocks = [...text.matchAll(/^```(\w+).*\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code: code.replaceAll('http://127.0.0.1:3000', url),
  }));
  const join = (wanted: (language: string) => boolean) =>
    blocks
      .filter(({ language }) => wanted(language))
      .map(({ code }) => code)
      .join('\n');
  return {
    commands: join((language) => language === 'sh'),
    program: join((language) => !['sh', 'text'].includes(language)),
    output: join((language) => language === 'text'),
  };
}

/** Expects each line of the output that the chapter promises, in which `…` stands for anything. */
export function expectOutput(actual: string, promised: string): void {
  const command: Command = {
    section: '',
    text: '',
    isRunnable: true,
    output: promised.split('\n').filter((line) => line.trim() !== ''),
  };
  expect(command.output.length).toBeGreaterThan(0);
  expect(missingLines(command, actual), actual).toEqual([]);
}
