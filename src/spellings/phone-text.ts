import { trimText } from './text.ts';

/** Words between two numbers. */
const OR = 'or|and|oder|und|ou|et|o|y|e|of|en|eller|og|och|lub|i|&';
/** Between two numbers. A comma may also be a dial pause before an extension. */
const BETWEEN = new RegExp(
  `:::|;(?!\\s*(?:ext|x)\\b)|[|\\n\\r]|,(?=\\s*[+(]*\\d[\\d\\s().-]{5})|\\s(?=\\+\\s?\\d)|\\s(?:${OR})\\s`,
  'iu',
);

/** Before a number: `tel:`, `p:`, `Mobile (work): `, `Tel. `, `whatsapp:`. */
const LABEL = /^\p{L}[\p{L}\p{M} .'()/-]{0,30}?[:.]?\s*(?=[+(\d])/u;
/** After a number, in brackets or alone. */
const REMARK =
  /(?<!\s)\s*(?:[([]\p{L}[^()[\]\d]{0,30}[)\]]|\s(?:mobile?|cell|handy|home|work|office|private?|privat|fax|main|m|h|w))$/iu;

/** Words for an extension that libphonenumber doesn't know. */
const EXTENSION =
  /[\s,;(]{0,3}\b(?:ext(?:ension|n)?|intern|durchwahl|nebenstelle|dw|poste|anexo|interno|toestel|anknytning|lokal|wewn?|доб)\b\.?:?\s{0,2}(?=\d{1,7}\)?$)/iu;
const BRACKETED_EXTENSION = /\(\s?(?:ext|x|extension)?[.:#\s]{0,3}(\d{1,7})\)$/iu;
/** Dial pauses before an extension. */
const PAUSE = /,{1,2}\s?(?=\d{1,5}#?$)/;

/** The texts of the numbers in a cell or a field, each as libphonenumber reads it. */
export function splitPhones(text: string): string[] {
  const parts = withoutQuotes(text.replaceAll(/\p{Cf}/gu, '')).split(BETWEEN);
  return parts.map(withoutWords).filter((part) => /\d/.test(part));
}

/** Without what spreadsheets and exports add: quotes, an apostrophe, `=`, and the `.0` of a number with decimals. */
function withoutQuotes(text: string): string {
  const bare = trimText(text).replaceAll(/^[="'’‘`]+|(?<!["'’])["'’]+$/g, '');
  return /^\+?\d{7,15}\.0+$/.test(bare) ? bare.replace(/\.0+$/, '') : bare;
}

function withoutWords(part: string): string {
  const number = part.trim().replace(/^tel:|;phone-context=.*$/i, '');
  return trimText(number)
    .replace(LABEL, '')
    .replace(REMARK, '')
    .replace(BRACKETED_EXTENSION, ' ext. $1')
    .replace(EXTENSION, ' ext. ')
    .replace(PAUSE, ' ext. ');
}
