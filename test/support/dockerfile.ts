/** The Dockerfile, as far as tests ask it. */
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

/** What follows the instruction, each time that it is there. */
export function instructionsOf(wanted: string): string[] {
  return instructions.flatMap(({ name, text }) => (name === wanted ? [text] : []));
}

/** Of CMD and its kind, whose words are JSON. The last one counts. */
export function commandOf(wanted: 'CMD' | 'ENTRYPOINT' | 'HEALTHCHECK'): string[] {
  return JSON.parse(/\[.*\]$/.exec(instructionsOf(wanted).at(-1) ?? '')?.[0] ?? '[]');
}

/** What the image takes from the project: its last stage, without what it takes from another one. */
export const copied = instructionsOf('COPY')
  .slice(1)
  .filter((text) => !text.startsWith('--from='))
  .flatMap((text) => text.split(' ').slice(0, -1));

/** The variables of the image. */
export const imageEnv: Record<string, string> = Object.fromEntries(
  instructionsOf('ENV')
    .flatMap((text) => text.split(' '))
    .map((variable) => variable.split('=')),
);
