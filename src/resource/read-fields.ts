import { toAsciiEmail } from '../spellings/email.ts';
import { E164, readPhone } from '../spellings/phone.ts';
import { fillMissing } from './fields.ts';

interface Fields {
  email?: string | null;
  phone?: string | null;
  metadata?: Record<string, string | null> | null;
}

/**
 * The fields of a valid body as they are stored and compared: the email address with its domain in ASCII, the phone number in
 * E.164, and its extension in the metadata.
 */
export function readFields<Given extends object>(given: Given): Given {
  const { email, phone }: Fields = given;
  const ascii = typeof email === 'string' ? toAsciiEmail(email) : undefined;
  const isRead = typeof phone !== 'string' || E164.test(phone);
  if ((ascii === undefined || ascii === email) && isRead) return given;
  return { ...given, ...(ascii !== undefined && { email: ascii }), ...(!isRead && phoneFields(given)) };
}

function phoneFields({ phone, metadata = {} }: Fields): Fields {
  const { value, extension } = readPhone(phone ?? '');
  if (value === undefined) return {};
  // Null clears the metadata.
  if (extension === undefined || metadata === null) return { phone: value };
  return { phone: value, metadata: fillMissing(metadata, { phone_extension: extension }) };
}
