import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Archive } from './archive.ts';
import { textsOf } from './texts.ts';
import { parseXml } from './xml.ts';

/** Characters of a page, which is read as a whole. */
const PAGE = 4_096;
/** Bytes of the pages that are kept in memory. A page can be a single text of 256 KiB. */
const CACHED = 2 * 2 ** 20;
/** XML can't have this character. */
const SEPARATOR = '\0';

interface Page {
  /** The number of its first text. */
  first: number;
  offset: number;
  bytes: number;
}

/**
 * The texts that cells refer to by number. They are in a file, since a workbook can have ten million of them; its pages are
 * found by a table that is small.
 */
export class SharedStrings {
  readonly #file: FileHandle;
  readonly #pages: Page[] = [];
  readonly #cache = new LRUCache<number, readonly string[]>({ maxSize: CACHED });
  #page: string[] = [];
  #size = 0;
  #count = 0;
  #offset = 0;
  #highest = -1;
  #last: { first: number; texts: readonly string[] } = { first: 0, texts: [] };

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(text: string): Promise<void> {
    this.#page.push(text);
    this.#count += 1;
    this.#size += text.length + 1;
    if (this.#size >= PAGE) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#page.length === 0) return;
    const bytes = Buffer.from(this.#page.join(SEPARATOR));
    await this.#file.write(bytes, 0, bytes.length, this.#offset);
    this.#pages.push({ first: this.#count - this.#page.length, offset: this.#offset, bytes: bytes.length });
    this.#offset += bytes.length;
    this.#page = [];
    this.#size = 0;
  }

  /** The text with this number, or an empty one. */
  get(index: number): string {
    const { first, texts } = this.#last;
    if (index >= first && index < first + texts.length) return texts[index - first] ?? '';
    if (!(index >= 0 && index < this.#count)) return '';
    const number = this.#pageOf(index);
    const page = this.#pages[number];
    if (page === undefined) return '';
    let found = this.#cache.get(number);
    if (found === undefined) {
      const bytes = Buffer.alloc(page.bytes);
      readSync(this.#file.fd, bytes, 0, page.bytes, page.offset);
      found = bytes.toString().split(SEPARATOR);
      // Most sheets use their texts in the order in which they are stored, and most texts once. Keeping these pages for a while
      // would fill V8's old generation: four workbooks then took 60 MiB more.
      if (number < this.#highest) this.#cache.set(number, found, { size: page.bytes });
      this.#highest = Math.max(this.#highest, number);
    }
    this.#last = { first: page.first, texts: found };
    return found[index - page.first] ?? '';
  }

  #pageOf(index: number): number {
    let low = 0;
    let high = this.#pages.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pages[middle]?.first ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Reads the texts of a workbook into the file. */
export async function readSharedStrings(
  archive: Archive,
  part: string | undefined,
  file: FileHandle,
  limit: (bytes: number) => void,
): Promise<SharedStrings> {
  const strings = new SharedStrings(file);
  const xml = part === undefined ? undefined : await archive.read(part);
  if (xml === undefined) return strings;
  const found: string[] = [];
  const texts = textsOf('si', (text) => found.push(text));
  for await (const _ of parseXml(xml, texts, limit)) {
    for (const text of found) await strings.add(text);
    found.length = 0;
  }
  await strings.flush();
  return strings;
}
