interface Release {
  version: string;
  /** YYYY-MM-DD; null for an unreleased version. */
  date: string | null;
  /** Sentences by kind: added, changed, deprecated, removed, fixed, security. */
  changes: Record<string, string[]>;
}

/** Reads the format of https://keepachangelog.com: `## [version] - date`, `### Kind`, `- sentence`. */
export function parseChangelog(markdown: string): Release[] {
  return sections(markdown, '## ').map(([heading, body]) => {
    const [, version, date] = /^\[?([^\]\s]+)\]?(?: - (\d{4}-\d{2}-\d{2}))?/.exec(heading) ?? [];
    if (version === undefined) throw new Error(`CHANGELOG.md: "${heading}" has no version.`);
    const changes = sections(body, '### ').map(([kind, list]) => [kind.toLowerCase(), items(list)]);
    return { version, date: date ?? null, changes: Object.fromEntries(changes) };
  });
}

/** The headings of this level, each with the text below it. */
function sections(markdown: string, level: string): [string, string][] {
  const [, ...parts] = `\n${markdown}`.split(`\n${level}`);
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return [heading.trim(), lines.join('\n')];
  });
}

function items(list: string): string[] {
  const [, ...parts] = `\n${list}`.split('\n- ');
  return parts.map((part) => part.trim().replaceAll(/\s+/g, ' '));
}
