import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { toAsciiEmail } from '../../spellings/email.ts';
import { E164, readPhone, readPhoneInUrl } from '../../spellings/phone.ts';

/** Whether the text can be read. */
const spellings: Record<string, (text: string) => boolean> = {
  email: (text) => toAsciiEmail(text) !== undefined,
  phone: (text) => E164.test(text) || isSure(readPhone(text)),
  'phone-filter': (text) => E164.test(text) || isSure(readPhoneInUrl(text)),
};

function isSure({ value, warning }: ReturnType<typeof readPhone>): boolean {
  return value !== undefined && warning === undefined;
}

const check: SchemaValidateFunction = (kind: string, text: string, schema) => {
  const params = { inUrl: schema?.['x-message-in-url'] };
  check.errors = [{ keyword: 'x-spelling', message: String(schema?.['x-message']), params }];
  return spellings[kind]?.(text) ?? false;
};

/** The contract's keyword `x-spelling`: how people may write the value. The rules of a resource read it. */
export const spelling: FuncKeywordDefinition = {
  keyword: 'x-spelling',
  type: 'string',
  schemaType: 'string',
  errors: true,
  validate: check,
};
