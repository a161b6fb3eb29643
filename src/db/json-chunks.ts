import { storableJson } from '../values/text.ts';

/** Maximum length of a chunk with several items. Characters. */
const MAX_LENGTH = 1024 * 1024;

/** The items as JSON arrays of bounded length. A thousand leads can have 20 MB. */
export function* jsonChunks(items: Iterable<object>): Generator<string> {
  let chunk: string[] = [];
  let length = 0;
  for (const item of items) {
    const json = storableJson(item);
    if (length > 0 && length + json.length > MAX_LENGTH) {
      yield `[${chunk.join()}]`;
      chunk = [];
      length = 0;
    }
    chunk.push(json);
    length += json.length;
  }
  yield `[${chunk.join()}]`;
}
