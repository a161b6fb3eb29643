import type { Reading } from './reading.ts';
import { collapseSpaces, isBlank } from './text.ts';

/** Mailchimp writes each tag in quotes. */
const QUOTED = /^"([^"]*)"$/;

/** Reads a list of tags, separated by commas, semicolons, `|`, `:::` or lines. Of tags that differ in case, the first stays. */
export function readTags(text: string): Reading<string[]> {
  const value = distinctTags(fromJson(text) ?? text.split(/:::|[,;|\n\r]/));
  return value.length === 0 ? {} : { value };
}

/**
 * The tags without spaces around and blank ones. One with a comma becomes several, since filters separate tags by commas. Of
 * those that differ in case, the first stays.
 */
export function distinctTags(texts: readonly string[]): string[] {
  const tags = new Map<string, string>();
  for (const text of texts.flatMap((each) => each.split(','))) {
    const tag = collapseSpaces(text).replace(QUOTED, '$1');
    const key = tag.toLowerCase();
    // Google marks the groups that every contact has with an asterisk.
    if (!isBlank(tag) && !tag.startsWith('* ') && !tags.has(key)) tags.set(key, tag);
  }
  return [...tags.values()];
}

/** The strings of a JSON list, as in this service's exports. */
function fromJson(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((tag) => typeof tag === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
