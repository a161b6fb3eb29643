import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import type { Reading } from './reading.ts';
import { isBlank, plainText, trimText } from './text.ts';

interface PhoneReading extends Reading<string> {
  extension?: string;
}

/** The longest text that is read. A few numbers with their labels are shorter. */
const MAX_LENGTH = 250;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Separates numbers. A slash, a comma or a line may also be part of one: see numberBefore(). */
const BETWEEN_NUMBERS =
  /\s*(?::::|;(?!ext=)|[|\n\r]|\s(?:or|and|oder|und|ou|et|o|y|e|of|en|eller|och|lub|&)\s)\s*/iu;
/** A label before the number: `tel:`, `p:`, `Mobile:`, `Tel. `. */
const LABEL = /^(?:[\p{L}][\p{L} .()-]{0,20}:|(?:tel|phone|telefon|fon|mobile?|cell|handy|ph|fax)\b\.?)\s*/iu;
/** Words for an extension that libphonenumber doesn't know. */
const EXTENSION_WORD =
  /\s*,?\s*(?:durchwahl|nebenstelle|dw|poste|anexo|interno|toestel|anknytning|wewn?|доб)\.?:?\s*(?=\d{1,7}$)/iu;
/** Dial pauses before an extension. */
const PAUSED_EXTENSION = /,{1,2}(?=\d{1,5}#?$)/;
const TRUNK_ZERO = /[([]\s*0\s*[)\]]/;
/** Countries whose numbers keep the zero after the country code. */
const KEEPS_ZERO = /^\+(?:39|378)/;

/** Whether libphonenumber knows the numbers of this country, such as `DE`. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}

/**
 * Reads a phone number in any usual spelling as E.164. National numbers need a country. Several numbers give the first. Never
 * returns a number that libphonenumber calls invalid.
 */
export function readPhone(text: string, country?: string): PhoneReading {
  const trimmed = trimText(text);
  if (trimmed.length > MAX_LENGTH) return { warning: 'This text is too long for a phone number.' };
  const plain = unwrap(plainText(trimmed));
  if (isBlank(plain)) return {};
  const [first = '', ...others] = plain.split(BETWEEN_NUMBERS).filter((part) => /\d/.test(part));
  const found = readOne(first, country);
  if ('value' in found) return others.length === 0 ? found : { ...found, warning: SEVERAL };
  const before = numberBefore(first, country);
  return before === undefined ? found : { ...before, warning: SEVERAL };
}

const SEVERAL = 'There are several phone numbers. Only the first one was used.';

/** Without invisible characters, and the quotes and apostrophes that spreadsheets and exports add. */
function unwrap(text: string): string {
  return trimText(text.replaceAll(/[\p{Cf}]/gu, '')).replaceAll(/^[="'’‘`]+|["'’]+$/g, '');
}

/** The number before a slash or a comma, where the whole is no number. */
function numberBefore(text: string, country: string | undefined): PhoneReading | undefined {
  for (const { index } of text.matchAll(/[/,]/g)) {
    const found = readOne(text.slice(0, index), country);
    if ('value' in found) return found;
  }
  return undefined;
}

function readOne(text: string, country: string | undefined): PhoneReading {
  const number = text
    .replace(LABEL, '')
    .replace(EXTENSION_WORD, ' ext. ')
    .replace(PAUSED_EXTENSION, ' ext. ');
  if (/\d[eE]\+?\d/.test(number)) {
    return { warning: 'The spreadsheet has shortened this phone number, so that its last digits are lost.' };
  }
  const spaced = number.replaceAll(/[_*.·•~/‐-―−]/gu, ' ').trim();
  for (const spelling of spellingsOf(spaced, country)) {
    const found = parse(spelling, country);
    if (found !== undefined) return toReading(found);
  }
  const isNational = !/^\W*(?:\+|00|011)/.test(spaced);
  if (isNational && country === undefined) {
    return {
      warning: 'This phone number has no country code. Write it as +4915112345678, or set default_country.',
    };
  }
  return { warning: 'This is not a valid phone number.' };
}

/** The ways to read the text, the likeliest first. */
function spellingsOf(text: string, country: string | undefined): string[] {
  const international = withPlus(text);
  const readings = international === undefined ? [text] : [international];
  // Also the area code of Delhi, Sheffield and Turin.
  if (/^\W*011/.test(text) && country !== undefined && !isNorthAmerican(country)) readings.unshift(text);
  return readings.flatMap((spelling) => {
    if (!TRUNK_ZERO.test(spelling)) return [spelling];
    const [with0, without0] = [spelling.replace(TRUNK_ZERO, '0'), spelling.replace(TRUNK_ZERO, ' ')];
    return KEEPS_ZERO.test(spelling) || !spelling.startsWith('+') ? [with0] : [without0, with0];
  });
}

/** The text with + for 00 or 011. Undefined for a national number. */
function withPlus(text: string): string | undefined {
  const [prefix] = /^[\s(]*(?:\+\s*(?:00)?|00|011)[\s)]*(?=[(\s]*[1-9])/.exec(text) ?? [];
  return prefix === undefined ? undefined : `+${text.slice(prefix.length).replace(/^[\s()]+/, '')}`;
}

function isNorthAmerican(country: string): boolean {
  return parsePhoneNumberFromString('2015550123', country as CountryCode)?.countryCallingCode === '1';
}

function parse(text: string, country: string | undefined): PhoneNumber | undefined {
  // What stands before the first digit must be an opening bracket or the plus sign.
  if (!/^[+(\d]/.test(text)) return undefined;
  const isInternational = text.startsWith('+');
  if (!isInternational && (country === undefined || !isSupportedCountry(country))) return undefined;
  const options = { extract: false, ...(!isInternational && { defaultCountry: country as CountryCode }) };
  const found = parsePhoneNumberFromString(text, options);
  if (found === undefined || !found.isValid() || !E164.test(found.number)) return undefined;
  return isInternational || !isAmbiguous(text, found) ? found : undefined;
}

/** Whether digits without plus may begin with the country code or not. */
function isAmbiguous(text: string, found: PhoneNumber): boolean {
  const digits = text.replaceAll(/\D/g, '');
  const { countryCallingCode: code, nationalNumber } = found;
  if (code === '1' || !digits.startsWith(code) || digits === `${code}${nationalNumber}`) return false;
  return parsePhoneNumberFromString(`+${digits}`)?.isValid() === true;
}

function toReading({ number, ext }: PhoneNumber): PhoneReading {
  return { value: number, ...(ext !== undefined && ext !== '' && { extension: ext }) };
}
