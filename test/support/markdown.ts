/** The commands of a Markdown page, and the output that the page promises. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Command {
  /** The heading above it. */
  section: string;
  text: string;
  /** Lines that the output has, in any order; `…` stands for anything. */
  output: string[];
  /** Whether the page marks it as one that tests can't run: ```sh not-run */
  isRunnable: boolean;
  /** Why they can't, as operator chapters say: ```sh not-run: needs Docker */
  obstacle?: string | undefined;
}

const project = join(import.meta.dirname, '../..');
const fence = /^#+ (.+)$|^```(\w*)(.*)\n([\s\S]*?)^```$/gm;

export function readPage(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}

/** The shell blocks of a page, each with the block of output that may follow it. */
export function commandsOf(page: string): Command[] {
  const commands: Command[] = [];
  let section = '';
  let last: Command | undefined;
  for (const [, heading, language, info = '', text = ''] of page.matchAll(fence)) {
    if (heading !== undefined) {
      section = heading;
      last = undefined;
    } else if (language === 'sh') {
      const [, notRun, obstacle] = /^ (not-run)(?:: needs (.+))?$/.exec(info) ?? [];
      last = { section, text, output: [], isRunnable: notRun === undefined, obstacle };
      commands.push(last);
    } else {
      last?.output.push(...text.split('\n').filter((line) => line.trim() !== ''));
      last = undefined;
    }
  }
  return commands;
}

/** The blocks of another language in a section, such as `sql`. */
export function blocksOf(page: string, section: string, language: string): string[] {
  const [, after = ''] = page.split(`\n## ${section}\n`);
  const [text = ''] = after.split('\n## ');
  return [...text.matchAll(/^```(\w+).*\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , content = '']) => content);
}

function inOneSpace(line: string): string {
  return line.trim().replaceAll(/ +/g, ' ');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The programs that a page passes to `node` as here-documents. */
export function programsOf(page: string): string[] {
  return [...page.matchAll(/<<'EOF'.*\n([\s\S]*?)^EOF$/gm)].map(([, program = '']) => program);
}

/** The lines that the output lacks. Columns may be wider or narrower. */
export function missingLines({ output }: Command, actual: string): string[] {
  const lines = actual.split('\n').map(inOneSpace);
  return output.filter((expected) => {
    const pattern = new RegExp(`^${inOneSpace(expected).split('…').map(escapePattern).join('.*')}$`);
    return !lines.some((line) => pattern.test(line));
  });
}
