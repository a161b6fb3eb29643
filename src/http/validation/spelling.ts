import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { toAsciiEmail } from '../../spellings/email.ts';
import { readPhone } from '../../spellings/phone.ts';
import { isMembers } from './map-schemas.ts';

/** Where a value is stored, and whatever is there beside it. */
type Holder = Record<string | number, unknown>;

/** Returns the value as it is stored and compared. Undefined if it can't be read. */
type Read = (text: string, holder: Holder) => string | undefined;

const E164 = /^\+[1-9]\d{6,14}$/;

const spellings: Record<string, Read> = {
  email: toAsciiEmail,
  phone(text, holder) {
    if (E164.test(text)) return text;
    const { value, warning, extension } = readPhone(text);
    if (value !== undefined && extension !== undefined) keepExtension(holder, extension);
    return warning === undefined ? value : undefined;
  },
  'phone-filter'(text) {
    if (E164.test(text)) return text;
    // In a URL, a plus that isn't escaped arrives as a space.
    const { value, warning } = readPhone(text.replace(/^ (?=\d)/, '+'));
    return warning === undefined ? value : undefined;
  },
};

function keepExtension(holder: Holder, extension: string): void {
  const { metadata = {} } = holder;
  // Null clears the metadata, and anything else is refused later.
  if (!isMembers(metadata) || Object.hasOwn(metadata, 'phone_extension')) return;
  holder.metadata = { ...metadata, phone_extension: extension };
}

const read: SchemaValidateFunction = (kind: string, text: string, schema, place) => {
  const value = place && spellings[kind]?.(text, place.parentData);
  if (place !== undefined && value !== undefined) {
    place.parentData[place.parentDataProperty] = value;
    return true;
  }
  read.errors = [{ keyword: 'x-spelling', message: String(schema?.['x-message']), params: {} }];
  return false;
};

/**
 * The contract's keyword `x-spelling`: how people may write the value. Replaces it by the form that is stored and compared,
 * before the other keywords look at it.
 */
export const spelling: FuncKeywordDefinition = {
  keyword: 'x-spelling',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  modifying: true,
  errors: true,
  validate: read,
};
