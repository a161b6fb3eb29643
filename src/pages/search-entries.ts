import type { Document } from '../http/validation/document.ts';
import type { Chapter } from './chapters.ts';
import { describedOperations } from './described-operations.ts';
import { sectionsOf } from './sections.ts';

/** What the search finds: a section of a chapter, or an operation. */
interface Entry {
  /** Relative to the service's origin. */
  url: string;
  /** The chapter, or a request such as `POST /leads`. */
  title: string;
  /** The section's heading, or the operation's summary. Chapters begin with a section without one. */
  heading: string;
  text: string;
  /** What the section's tables explain, such as error codes and variables. */
  names?: string[];
  /** What the chapter is about. Only its first section has it. */
  summary?: string;
  /** Only operations have it. */
  operationId?: string;
}

export function searchEntries(document: Document, chapters: readonly Chapter[]): Entry[] {
  return [...chapters.flatMap(sectionEntries), ...operationEntries(document)];
}

function sectionEntries({ name, title, summary, html }: Chapter): Entry[] {
  return sectionsOf(html).map(({ level, id, heading, text, names }) =>
    level === 1
      ? { url: `guides/${name}`, title, heading: '', text, names, summary }
      : { url: `guides/${name}#${id}`, title, heading, text, names },
  );
}

function operationEntries(document: Document): Entry[] {
  return describedOperations(document).map(({ operationId, method, path, url, summary, description }) => {
    const text = description
      .replaceAll(/\[([^\][]+)\]\([^()]+\)/g, '$1')
      .replaceAll(/`|\*\*/g, '')
      .replaceAll(/\s+/g, ' ');
    return { url, title: `${method} ${path}`, heading: summary, text, operationId };
  });
}
