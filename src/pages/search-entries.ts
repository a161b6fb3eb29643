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
  /** Only operations have it. */
  operationId?: string;
}

export function searchEntries(document: Document, chapters: readonly Chapter[]): Entry[] {
  return [...chapters.flatMap(sectionEntries), ...operationEntries(document)];
}

function sectionEntries({ name, title, html }: Chapter): Entry[] {
  return sectionsOf(html).map(({ level, id, heading, text }) => ({
    url: level === 1 ? `guides/${name}` : `guides/${name}#${id}`,
    title,
    heading: level === 1 ? '' : heading,
    text,
  }));
}

function operationEntries(document: Document): Entry[] {
  return describedOperations(document).map(({ operationId, method, path, url, summary, description }) => {
    const text = description.replaceAll('`', '').replaceAll(/\s+/g, ' ');
    return { url, title: `${method} ${path}`, heading: summary, text, operationId };
  });
}
