import type { Reading } from './reading.ts';
import { collapseSpaces, isBlank, keyOf } from './text.ts';

/** Mailchimp writes each tag in quotes. */
const QUOTED = /^"([^"]*)"$/;

/** Reads a list of tags, separated by commas, semicolons, `|`, `:::` or lines. Of tags that differ in case, the first stays. */
export function readTags(text: string): Reading<string[]> {
  const parts = fromJson(text) ?? text.split(/:::|[,;|\n\r]/);
  const tags = new Map<string, string>();
  for (const part of parts) {
    const tag = collapseSpaces(part).replace(QUOTED, '$1');
    // Google marks the groups that every contact has with an asterisk.
    if (!isBlank(tag) && !tag.startsWith('* ') && !tags.has(keyOf(tag))) tags.set(keyOf(tag), tag);
  }
  return tags.size === 0 ? {} : { value: [...tags.values()] };
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
