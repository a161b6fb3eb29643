import type { XmlHandlers } from './xml.ts';

/** Characters of a text. Excel allows 32,767. */
const MAX_TEXT = 262_144;

/** Collects the texts of elements with this name: the runs of rich text together, without phonetic guides. */
export function textsOf(element: string, take: (text: string) => void): XmlHandlers {
  let text = '';
  let isText = false;
  let isGuide = false;
  return {
    open(name) {
      if (name === element) text = '';
      else if (name === 'rPh') isGuide = true;
      else if (name === 't') isText = !isGuide;
    },
    text(part) {
      if (isText && text.length <= MAX_TEXT) text += part.slice(0, MAX_TEXT);
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isGuide = false;
      else if (name === element) take(unescapeText(text));
    },
  };
}

/** Excel writes characters that XML can't have as _x000D_. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return character === '\0' ? '' : character;
  });
}
