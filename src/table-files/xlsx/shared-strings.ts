import { invalidFile } from '../fault.ts';
import type { Archive } from './archive.ts';
import { textsOf } from './texts.ts';
import { parseXml } from './xml.ts';

/**
 * Bytes of the texts. Counted here, since V8's own limit of a worker is none: `--max-old-space-size` raises it, and reaching it
 * may end the whole process.
 */
const MAX_MEMORY = 48 * 2 ** 20;
/** Bytes of a text without its characters. */
const TEXT = 32;

/** The texts of a workbook that cells refer to by number. Throws 422 if they take too much memory. */
export async function readSharedStrings(
  archive: Archive,
  part: string | undefined,
  limit: (bytes: number) => void,
): Promise<readonly string[]> {
  const strings: string[] = [];
  const xml = part === undefined ? undefined : await archive.read(part);
  if (xml === undefined) return strings;
  let memory = 0;
  const texts = textsOf('si', (text) => {
    memory += TEXT + 2 * text.length;
    if (memory > MAX_MEMORY)
      throw invalidFile('needs too much memory to be read; save the table as CSV, or split it');
    strings.push(text);
  });
  for await (const _ of parseXml(xml, texts, limit));
  return strings;
}
