import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const GENERATED = join(import.meta.dirname, '../../generated/guides');

export interface Chapter {
  /** As in its URL. */
  name: string;
  title: string;
  /** What it is about, as text. */
  summary: string;
  html: string;
}

export interface Group {
  name: string;
  chapters: Chapter[];
}

/** The chapters of docs/, as `npm run generate` has rendered them. */
export async function readGroups(): Promise<Group[]> {
  const groups: Group[] = JSON.parse(await readFile(join(GENERATED, 'chapters.json'), 'utf8'));
  const read = async (chapter: Chapter): Promise<Chapter> => ({
    ...chapter,
    html: await readFile(join(GENERATED, `${chapter.name}.html`), 'utf8'),
  });
  const readGroup = async ({ name, chapters }: Group) => ({
    name,
    chapters: await Promise.all(chapters.map(read)),
  });
  return Promise.all(groups.map(readGroup));
}
