import { errorCodes } from '../generated/error-codes.ts';
import { firstCharacters } from './values/text.ts';

export type ProblemCode = keyof typeof errorCodes;

/** Field name → messages. One that begins in lower case has the field as its subject: "must not be empty". */
export type FieldErrors = Record<string, string[]>;

/** Maximum fields reported. Otherwise, a body with ten thousand faults would cause a response of one megabyte. */
export const MAX_FIELD_ERRORS = 50;

/** Maximum fields that a message names. */
const MAX_NAMED = 5;

interface Details {
  errors?: FieldErrors;
  existing_id?: string;
  merged_into?: string;
  required_scope?: string;
}

/**
 * An error for the client. Handlers return success and throw a Problem on failure. `headers` are added to the response,
 * `details` to its body; `cause` goes to the log only.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: Details;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    message: string,
    extra: { details?: Details; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.status = errorCodes[code];
    this.details = extra.details ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** A 422 about fields of the body. */
export function invalidFields(errors: FieldErrors, code: ProblemCode = 'validation_failed'): Problem {
  return new Problem(code, sentenceAbout(errors), { details: { errors } });
}

/** One field with its fault, or the names of several. */
function sentenceAbout(errors: FieldErrors): string {
  const [[field = 'body', messages = []] = [], ...others] = Object.entries(errors);
  const [message = 'is invalid'] = messages;
  if (others.length > 0) return `${namesOf(Object.keys(errors))} are invalid. The details are in errors.`;
  return toSentence(field, message);
}

/** Maximum characters of a field's name in a sentence: a body may have keys of any length. */
const MAX_SUBJECT = 200;

/** The message about the field as a whole sentence. */
export function toSentence(field: string, message: string): string {
  const subject = field.length > MAX_SUBJECT ? `${firstCharacters(field, MAX_SUBJECT)}…` : field;
  const sentence = /^[a-z]/.test(message) ? `${subject} ${message}` : message;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

/** The messages as clients get them. */
export function toSentences(errors: FieldErrors): FieldErrors {
  const all = Object.entries(errors);
  return Object.fromEntries(
    all.map(([field, messages]) => [field, messages.map((message) => toSentence(field, message))]),
  );
}

function namesOf(fields: readonly string[]): string {
  const named = fields.slice(0, MAX_NAMED);
  const others = fields.length - named.length;
  const last = others > 0 ? `${others} more` : named.pop();
  return `${named.join(', ')} and ${last}`;
}

/** A 422 about one field of the body. */
export function invalidField(field: string, message: string, code?: ProblemCode): Problem {
  return invalidFields({ [field]: [message] }, code);
}

/** The same Problem with a prefix for its fields: `email` becomes `patch.email`. */
export function problemAt(place: string, { code, message, details }: Problem): Problem {
  if (details.errors === undefined) return new Problem(code, message, { details });
  const moved = Object.entries(details.errors).map(([field, messages]) => [`${place}.${field}`, messages]);
  const errors = Object.fromEntries(moved);
  return new Problem(code, sentenceAbout(errors), { details: { ...details, errors } });
}

/** Runs a check of a list's query on a field of the body: throws its 400 as a 422 about parts of the field. */
export async function fieldsOf<Result>(
  field: string,
  check: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const faults = Object.entries(error.details.errors ?? {});
    throw invalidFields(Object.fromEntries(faults.map(([name, messages]) => [`${field}.${name}`, messages])));
  }
}

/** A 400 about one query parameter or header. */
export function invalidParameter(name: string, message: string): Problem {
  return invalidField(name, message, 'invalid_parameter');
}

/** A 400 about a cursor that this service did not issue for the list. */
export function invalidCursor(name: string, message: string): Problem {
  return invalidField(name, message, 'invalid_cursor');
}

export function notFound(what: string): Problem {
  return new Problem('not_found', `${what} does not exist.`);
}
