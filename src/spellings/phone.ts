import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { splitPhones } from './phone-text.ts';
import type { Reading } from './reading.ts';
import { isBlank, plainText, trimText } from './text.ts';

interface PhoneReading extends Reading<string> {
  extension?: string;
}

/** The key of metadata that holds the extension of a phone number. */
export const PHONE_EXTENSION = 'phone_extension';

/** The longest text that is read. A few numbers with their labels are shorter. */
const MAX_LENGTH = 250;
const MAX_PADDED = 10_000;
export const E164 = /^\+[1-9]\d{6,14}$/;

/** Fewer digits before a slash, without the country code, are an area code and the begin of a number. */
const MIN_DIGITS = 7;

/** Until 2019, Mexican mobile numbers had a 1 after the country code; WhatsApp and address books still write it. */
const MEXICAN_MOBILE = /^\+52\D{0,3}1(?=(?:\D{0,3}\d){10}\D*$)/;

const MAX_SLASHES = 4;

const TRUNK_ZERO = /[([]\s*0\s*[)\]]/;
/** Countries whose numbers keep the zero after the country code. */
const KEEPS_ZERO = /^\+(?:39|378)/;

const SEVERAL = 'There are several phone numbers. Only the first one was used.';
const INVALID = 'This is not a valid phone number.';

/** Whether libphonenumber knows the numbers of this country, such as `DE`. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}

/**
 * Reads a phone number in any usual spelling as E.164. National numbers need a country. Several numbers give the first. Returns
 * a number that libphonenumber calls invalid only if it is written in E.164.
 */
export function readPhone(text: string, country?: string): PhoneReading {
  // Most numbers of a system's export: half the time.
  const plainest = E164.test(text) ? parse(text, undefined) : undefined;
  if (plainest !== undefined) return toReading(plainest);
  const trimmed = text.length > MAX_PADDED ? text : trimText(text);
  if (trimmed.length > MAX_LENGTH) return { warning: 'This text is too long for a phone number.' };
  const plain = plainText(trimmed);
  if (isBlank(plain)) return {};
  const [first = '', ...others] = splitPhones(plain);
  const code = country?.toUpperCase();
  const found = readAlternatives(first, code !== undefined && isCountry(code) ? code : undefined);
  return 'value' in found && others.length > 0 ? { ...found, warning: SEVERAL } : found;
}

/** Reads a number in a query, where a plus that isn't escaped arrives as a space. */
export function readPhoneInUrl(text: string): PhoneReading {
  return readPhone(text.replace(/^ (?=\d)/, '+'));
}

/** A number, or numbers between slashes. A slash may also be part of a number, as in `030/123456`. */
function readAlternatives(text: string, country: string | undefined): PhoneReading {
  const whole = readNumber(text, country);
  const before = numberBefore(text, country);
  if (before === undefined) return whole;
  const { reading, rest } = before;
  // 044 668 18 00/01 has two numbers. After 030 12345 / 12346, nobody can tell.
  if (!('value' in whole) || digitsIn(rest) <= 2) return { ...reading, warning: SEVERAL };
  return { warning: "It isn't clear whether this is one phone number or two." };
}

/** The number before a slash, and what follows the slash. */
function numberBefore(text: string, country: string | undefined) {
  for (const { index } of [...text.matchAll(/\//g)].slice(0, MAX_SLASHES)) {
    const reading = readNumber(text.slice(0, index), country);
    if (nationalDigits(reading.value) >= MIN_DIGITS) return { reading, rest: text.slice(index + 1) };
  }
  return undefined;
}

function nationalDigits(number = ''): number {
  return parsePhoneNumberFromString(number)?.nationalNumber.length ?? 0;
}

function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, '').length;
}

function readNumber(text: string, country: string | undefined): PhoneReading {
  if (/\d[eE]\+?\d/.test(text)) {
    return { warning: 'A spreadsheet has shortened this phone number, so its last digits are lost.' };
  }
  const spaced = withDigits(text.replaceAll(/[_*.·•~/‐-―−]/gu, ' ').trim());
  const found = spellingsOf(spaced, country).map((spelling) => parse(spelling, country));
  const [number] = found.filter((each) => each !== undefined);
  if (number !== undefined) return toReading(number);
  const withoutPlus = country === undefined ? undefined : withCountryCode(spaced, country);
  if (withoutPlus !== undefined) return toReading(withoutPlus);
  const isNational = !/^\W*(?:\+|00|011)/.test(spaced);
  if (isNational && country === undefined && /\d{3}/.test(spaced.replaceAll(/\W/g, ''))) {
    const message = 'This phone number has no country code, and no default_country says which one is meant.';
    return { warning: message };
  }
  // Exactly as POST /leads takes it, so nothing is guessed. Numbering plans change faster than libraries.
  return E164.test(text) ? { value: text } : { warning: INVALID };
}

/** Spreadsheets drop the plus. The digits are no national number, but with the country's own code they are a number. */
function withCountryCode(text: string, country: string): PhoneNumber | undefined {
  const number = /^\d[\d\s()-]*$/.test(text) ? parse(`+${text.replaceAll(/\D/g, '')}`, undefined) : undefined;
  return number?.country === country ? number : undefined;
}

/** North American numbers that are free to call may be words, of which each letter is a key. */
const VANITY = /^(\+?1[\s()-]*)?\(?(8(?:00|33|44|55|66|77|88))\)?[\s-]*((?:[A-Za-z\d][\s-]?){7})$/;
const KEYS = '22233344455566677778889999';

function withDigits(text: string): string {
  const [, , area, word = ''] = VANITY.exec(text) ?? [];
  if (area === undefined || !/[A-Za-z]/.test(word)) return text;
  const digits = word
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[A-Za-z]/g, (letter) => KEYS[letter.toUpperCase().charCodeAt(0) - 65] ?? '');
  return `+1${area}${digits}`;
}

/** The ways to read the text, the likeliest first. */
function spellingsOf(text: string, country: string | undefined): string[] {
  const international = withPlus(text)?.replace(MEXICAN_MOBILE, '+52 ');
  const readings = international === undefined ? [text] : [international];
  // 011 is also the area code of Delhi and Turin, and begins that of Sheffield.
  if (/^\W*011/.test(text) && country !== undefined && !isNorthAmerican(country)) readings.unshift(text);
  return readings.flatMap((spelling) => {
    if (!TRUNK_ZERO.test(spelling)) return [spelling];
    const [with0, without0] = [spelling.replace(TRUNK_ZERO, '0'), spelling.replace(TRUNK_ZERO, ' ')];
    return KEEPS_ZERO.test(spelling) || !spelling.startsWith('+') ? [with0] : [without0, with0];
  });
}

/** The text with + for 00 or 011. Undefined for a national number. */
function withPlus(text: string): string | undefined {
  const [prefix] = /^[\s(]*(?:\+[\s+]*(?:00)?|00|011)[\s)]*(?=[(\s]*[1-9])/.exec(text) ?? [];
  if (prefix !== undefined) return `+${text.slice(prefix.length).replace(/^[\s()]+/, '')}`;
  // In a text from right to left, the plus is typed last.
  return /^[1-9][\d\s]*\+$/.test(text) ? `+${text.slice(0, -1)}` : undefined;
}

function isNorthAmerican(country: string): boolean {
  return parsePhoneNumberFromString('2015550123', country as CountryCode)?.countryCallingCode === '1';
}

function parse(text: string, country: string | undefined): PhoneNumber | undefined {
  if (!/^[+(\d]/.test(text)) return undefined;
  const isInternational = text.startsWith('+');
  if (!isInternational && country === undefined) return undefined;
  const options = { extract: false, ...(!isInternational && { defaultCountry: country as CountryCode }) };
  const found = parsePhoneNumberFromString(text, options);
  if (found === undefined || !found.isValid() || !E164.test(found.number)) return undefined;
  return isInternational || !isAmbiguous(text, found) ? found : undefined;
}

/** Whether the digits may begin with the country code, or with an area code of the same digits. */
function isAmbiguous(text: string, found: PhoneNumber): boolean {
  const digits = text.replaceAll(/\D/g, '');
  const { countryCallingCode: code, nationalNumber } = found;
  if (code === '1' || !digits.startsWith(code)) return false;
  const isOther = digits !== `${code}${nationalNumber}`;
  return isOther && parsePhoneNumberFromString(`+${digits}`)?.isValid() === true;
}

function toReading({ number, ext }: PhoneNumber): PhoneReading {
  return { value: number, ...(ext !== undefined && ext !== '' && { extension: ext }) };
}
