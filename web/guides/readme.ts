/** What the README knows about the chapters: their order, their groups, and a tour. */

interface Chapter {
  /** As in its URL: `webhooks`. */
  name: string;
  title: string;
  /** What it is about, as Markdown. */
  summary: string;
  /** Where it is in the repository. Its links are relative to that. */
  path: string;
}

interface Group {
  name: string;
  chapters: Chapter[];
}

const TOUR = 'A five-minute tour';
const ABOUT_TOUR = 'the first requests, to paste into a shell';

const LINE = /^#{2,} (.+)$|^\| \[([^\]]+)\]\((docs\/([\w-]+)\.md)\) \| (.+?) \|$/gm;

/** The tour, and the rows of its tables that begin with a chapter. A table's group is the heading above it. */
export function readGroups(readme: string): Group[] {
  const groups: Group[] = [];
  let heading = '';
  for (const [, newHeading, title = '', path = '', name = '', summary = ''] of readme.matchAll(LINE)) {
    heading = newHeading ?? heading;
    if (newHeading !== undefined) continue;
    if (groups.at(-1)?.name !== heading) groups.push({ name: heading, chapters: [] });
    groups.at(-1)?.chapters.push({ name, title, summary, path });
  }
  groups[0]?.chapters.unshift({ name: 'tour', title: TOUR, summary: ABOUT_TOUR, path: 'README.md' });
  return groups;
}

/** The section of the README that most chapters build on, as a page. */
export function readTour(readme: string): string {
  const section = readme.split(/^## /m).find((text) => text.startsWith(TOUR));
  if (section === undefined) throw new Error(`README.md has no section "${TOUR}".`);
  return `# ${section}`;
}
