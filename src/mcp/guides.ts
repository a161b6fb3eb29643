import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guides } from '../../generated/guides.ts';

const FOLDER = join(import.meta.dirname, '../../docs');
const MARKDOWN = 'text/markdown';

/** The chapters for clients of the API. */
export const listedGuides = guides.map(({ name, title, summary }) => ({
  uri: `lead-pipeline://guides/${name}.md`,
  name: `${name}.md`,
  title,
  description: summary,
  mimeType: MARKDOWN,
}));

/** Read at the start: an upgrade may replace the files under a running process. */
const texts = new Map(listedGuides.map(({ uri, name }) => [uri, readFileSync(join(FOLDER, name), 'utf8')]));

/** Undefined if there is no such guide. */
export function findGuide(uri: string) {
  const text = texts.get(uri);
  return text === undefined ? undefined : { uri, mimeType: MARKDOWN, text };
}
