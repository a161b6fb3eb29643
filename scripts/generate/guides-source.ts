import { readGroups } from '../../web/guides/readme.ts';
import { literal } from './literal.ts';

const GROUP = 'Integrate';

/** The chapters for clients of the API, in the order of the README. */
export function guidesSource(readme: string): string {
  const chapters = readGroups(readme).find(({ name }) => name === GROUP)?.chapters ?? [];
  const guides = chapters
    .filter(({ path }) => path.startsWith('docs/'))
    .map(({ name, title, summary }) => ({ name, title, summary }));
  if (guides.length === 0) throw new Error(`README.md has no chapters under "${GROUP}"`);
  return `// Generated from README.md by \`npm run generate\`. Do not edit.

/** Chapters in docs/, without their suffix. */
export const guides = ${literal(guides)} as const;
`;
}
