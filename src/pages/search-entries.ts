import type { Document } from '../http/validation/document.ts';
import type { Chapter } from './chapters.ts';
import { docsAnchor } from './docs-anchor.ts';
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

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

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

function operationEntries({ paths = {} }: Document): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method): Entry[] => {
      const { operationId, tags: [tag] = [], summary = '', description = '' } = item?.[method] ?? {};
      if (operationId === undefined || tag === undefined) return [];
      const text = description.replaceAll('`', '').replaceAll(/\s+/g, ' ');
      const title = `${method.toUpperCase()} ${path}`;
      return [{ url: docsAnchor(tag, operationId), title, heading: summary, text, operationId }];
    }),
  );
}
