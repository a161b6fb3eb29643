import { SaxesParser } from 'saxes';
import { invalidFile } from '../fault.ts';

/** Characters between two tags. A cell has at most 32,767. */
const MAX_NODE = 1024 * 1024;
const MAX_DEPTH = 100;

/** Bytes between two looks at what the handlers have found: a cell of 20 bytes can refer to a text of 256 KiB. */
const STEP = 1024;

/** What a part of a workbook consists of. Names have no prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text?(text: string): void;
}

/**
 * Parses XML as it arrives, in bounded memory. Yields after each step, so that the caller can take what the handlers have
 * found. `limit` gets the number of bytes so far. The parser knows no entities but XML's own five, and loads nothing. Throws
 * 422 if it isn't XML.
 */
export async function* parseXml(
  chunks: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
  limit: (bytes: number) => void,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false });
  const decoder = new TextDecoder();
  let depth = 0;
  let sinceNode = 0;
  const node = () => {
    sinceNode = 0;
  };
  parser.on('error', () => {
    throw damaged();
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceNode = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw damaged();
    handlers.open(localName(name), attributes as Record<string, string>);
  });
  parser.on('closetag', ({ name }) => {
    sinceNode = 0;
    depth -= 1;
    handlers.close(localName(name));
  });
  parser.on('text', (text) => {
    sinceNode = 0;
    handlers.text?.(text);
  });
  parser.on('cdata', (text) => {
    sinceNode = 0;
    handlers.text?.(text);
  });
  parser.on('comment', node);
  parser.on('processinginstruction', node);
  let bytes = 0;
  for await (const piece of chunks) {
    bytes += piece.length;
    limit(bytes);
    for (let at = 0; at < piece.length; at += STEP) {
      parser.write(decoder.decode(piece.subarray(at, at + STEP), { stream: true }));
      yield;
    }
    sinceNode += piece.length;
    if (sinceNode > MAX_NODE) throw damaged();
  }
  parser.close();
  yield;
}

function localName(name: string): string {
  return name.includes(':') ? name.slice(name.indexOf(':') + 1) : name;
}

export function damaged(): Error {
  return invalidFile('is a damaged workbook; open it, save it again as .xlsx or CSV, and send that');
}

export function tooMuch(): Error {
  return invalidFile('is a workbook with too much content; save the table as CSV');
}

/** Bytes of a small part. */
const MAX_PART = 16 * 1024 * 1024;

/** Parses a small part as a whole. */
export async function readXml(chunks: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const limit = (bytes: number) => {
    if (bytes > MAX_PART) throw tooMuch();
  };
  for await (const _ of parseXml(chunks, handlers, limit));
}
