const HEADING = /<h([1-6]) id="([^"]*)">(.*?)<\/h\1>\n/;
const NAME = /<tr>\n<td>(<code>.*?<\/code>)/g;
const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

export interface Section {
  level: number;
  /** Its heading's anchor. */
  id: string;
  /** The heading as text. */
  heading: string;
  text: string;
  /** Names that its tables explain, such as error codes and variables: the code that a row begins with. */
  names: string[];
}

/** The sections of a rendered chapter. Its text has no markup but what `npm run generate` made from Markdown. */
export function sectionsOf(html: string): Section[] {
  const [, ...parts] = html.split(HEADING);
  const sections: Section[] = [];
  for (let index = 0; index < parts.length; index += 4) {
    const [level = '', id = '', heading = '', body = ''] = parts.slice(index, index + 4);
    const names = [...body.matchAll(NAME)].map(([, name = '']) => textOf(name));
    sections.push({ level: Number(level), id, heading: textOf(heading), text: textOf(body), names });
  }
  return sections;
}

function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(?:p|li|td|th|tr|pre|h\d)\b[^<>]*>/g, ' ')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(\w+);/g, (entity, name) => CHARACTERS[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
