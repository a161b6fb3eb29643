import { charsetOf } from '../../../http/media-types.ts';
import { Problem } from '../../../problem.ts';
import { decodeText } from '../../../values/charset.ts';
import { parseExactJson } from '../../../values/exact-json.ts';
import { describeJsonFault } from '../../../values/json-fault.ts';
import { embeddedObject } from './embedded-json.ts';
import { formCharset, gatherFields } from './form-fields.ts';
import { countValues, withoutUnusable } from './plain-values.ts';
import { readForm } from './read-form.ts';
import { readMultipart } from './read-multipart.ts';

/** The body of a delivery as it came. */
export interface Body {
  bytes: Buffer;
  contentType: string;
}

export type Payload = Record<string, unknown>;

/** What could not be kept of a body. */
interface Remark {
  field: string;
  message: string;
  value: string;
}

/** What a body says. */
export interface Read {
  payload: Payload;
  /** The same, but with numbers as JSON.parse gives them, for comparisons in a JSONPath. */
  plain: Payload;
  remarks: Remark[];
}

/** Maximum values in all objects and lists, and maximum fields of a form. */
const MAX_VALUES = 10_000;
/** Maximum files that are named. */
const MAX_FILES = 20;

/** Reads a body: JSON, or a form as an object. Each number of the payload is an ExactNumber. Throws 400. */
export function readBody(body: Body): Read {
  const [mediaType = ''] = body.contentType.split(';', 1);
  switch (mediaType.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return isJsonObject(body.bytes) ? readJson(body) : readUrlencoded(body);
    case 'multipart/form-data':
      return readFormData(body);
    default:
      return readJson(body);
  }
}

/** Programs also send JSON with the content type of forms. A form's first name hardly begins with a brace. */
function isJsonObject(bytes: Buffer): boolean {
  if (bytes[0] !== 0x7b) return false;
  try {
    return typeof JSON.parse(bytes.toString()) === 'object';
  } catch {
    return false;
  }
}

function readUrlencoded({ bytes, contentType }: Body): Read {
  const fields = readForm(bytes, MAX_VALUES + 1);
  if (fields.length > MAX_VALUES) throw tooManyValues();
  return ofForm(gatherFields(fields, charsetOf(contentType)), []);
}

function readFormData({ bytes, contentType }: Body): Read {
  const charset = charsetOf(contentType);
  const fileCharset = charset && formCharset(charset);
  const { fields, files } = partsOf(bytes, contentType);
  const remarks = files.slice(0, MAX_FILES).map(({ field, name }) => {
    const value = decodeText(name, fileCharset);
    const message = `The file ${value} was left out: an inbound hook keeps only texts.`;
    return { field: decodeText(field, fileCharset), message, value };
  });
  return ofForm(gatherFields(fields, charset), remarks);
}

/** Only JSON in a field has numbers. */
function ofForm(fields: object, remarks: Remark[]): Read {
  const exact: [string, unknown][] = [];
  const plain: [string, unknown][] = [];
  let left = MAX_VALUES;
  for (const [name, value] of Object.entries(fields)) {
    const found = embeddedObject(value, left);
    if (found !== undefined) left -= countValues(found.plain, left);
    exact.push([name, found?.exact ?? value]);
    plain.push([name, found?.plain ?? value]);
  }
  return {
    payload: payloadOf(Object.fromEntries(exact)),
    plain: payloadOf(Object.fromEntries(plain)),
    remarks,
  };
}

function partsOf(bytes: Buffer, contentType: string) {
  let parts: ReturnType<typeof readMultipart>;
  try {
    parts = readMultipart(bytes, contentType, MAX_VALUES);
  } catch {
    throw invalid('The body is not valid multipart/form-data, or it is incomplete.');
  }
  if (parts === undefined) throw tooManyValues();
  return parts;
}

function readJson({ bytes, contentType }: Body): Read {
  if (isUtf16(bytes)) throw invalid('The body is in UTF-16. Send JSON in UTF-8.');
  const text = decodeText(bytes, formCharset(charsetOf(contentType) ?? 'utf-8'));
  try {
    // Much faster than exact parsing, so that a body with too many values costs little.
    const rough: unknown = JSON.parse(text);
    if (typeof rough !== 'object' || rough === null || Array.isArray(rough)) throw notObject();
    checkSize(rough);
    return { payload: payloadOf(parseExactJson(text)), plain: payloadOf(rough), remarks: [] };
  } catch (error) {
    throw error instanceof SyntaxError
      ? invalid(`The body is not valid JSON${describeJsonFault(text, error)}.`)
      : error;
  }
}

/** JSON begins with two ASCII characters, so one of the first two bytes is zero in UTF-16 without a byte order mark. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return (
    first === 0 || second === 0 || (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)
  );
}

function checkSize(value: object): void {
  const count = countValues(value, MAX_VALUES);
  if (count === Number.POSITIVE_INFINITY) throw invalid('The body is nested too deeply.');
  if (count > MAX_VALUES) throw tooManyValues();
}

function payloadOf(value: unknown): Payload {
  return withoutUnusable(value) as Payload;
}

function tooManyValues(): Problem {
  return invalid(`The body must not have more than ${MAX_VALUES} values.`);
}

function notObject(): Problem {
  return invalid('The body must be a JSON object.');
}

function invalid(message: string): Problem {
  return new Problem('invalid_json', message);
}
