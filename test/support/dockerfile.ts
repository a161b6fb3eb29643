/** Reads the parts of the Dockerfile that tests need. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/** One line for each instruction, in order. */
const instructions = readFileSync(join(project, 'Dockerfile'), 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\s*\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, name = '', text = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    return { name, text };
  });

/** The arguments of each occurrence of the instruction. */
export function instructionsOf(wanted: string): string[] {
  return instructions.flatMap(({ name, text }) => (name === wanted ? [text] : []));
}

/** The words of CMD, or of an instruction like it, which are JSON. The last one counts. */
export function commandOf(wanted: 'CMD' | 'ENTRYPOINT' | 'HEALTHCHECK'): string[] {
  return JSON.parse(/\[.*\]$/.exec(instructionsOf(wanted).at(-1) ?? '')?.[0] ?? '[]');
}

const [, lastStage = ''] = /.*\nFROM (.*)$/s.exec(readFileSync(join(project, 'Dockerfile'), 'utf8')) ?? [];

/** The files that the last stage copies from the project, or built from the stage of the pages, but no packages. */
export const copied = [...lastStage.matchAll(/^COPY (.*)$/gm)]
  .map(([, text = '']) => text.replace('--from=pages /app/', ''))
  .filter((text) => !text.startsWith('--from='))
  .flatMap((text) => text.split(' ').slice(0, -1));

/** The variables of the image. */
export const imageEnv: Record<string, string> = Object.fromEntries(
  instructionsOf('ENV')
    .flatMap((text) => text.split(' '))
    .map((variable) => variable.split('=')),
);
