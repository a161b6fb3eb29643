import { type Problem, toSentence } from '../problem.ts';
import { firstCharacters } from '../values/text.ts';

/** Maximum reasons that failures are counted by, since rows can have any keys of metadata. */
const MAX_REASONS = 100;
/** Reasons shown, as the contract says. */
const MAX_SHOWN = 20;
/** Maximum errors kept per row: a job of invalid rows must not fill the disk. */
export const MAX_OF_ROW = 10;
const MAX_FIELD = 100;
const MAX_MESSAGE = 500;

/** The number of failed rows by the code and the field of their first error. */
export type Failures = Record<string, Record<string, number>>;

interface RowError {
  code: string;
  field: string | null;
}

/** Counts each failed row by its first error. */
export function countFailures(before: Failures, byRow: readonly (readonly RowError[])[]): Failures {
  const failures: Failures = structuredClone(before);
  let reasons = Object.values(failures).flatMap(Object.keys).length;
  for (const [first] of byRow) {
    if (first === undefined) continue;
    const { code, field } = first;
    const fields = failures[code] ?? {};
    const name = field ?? '';
    const known = Object.hasOwn(fields, name) ? (fields[name] ?? 0) : 0;
    if (known === 0 && reasons >= MAX_REASONS) continue;
    if (known === 0) reasons += 1;
    failures[code] = { ...fields, [name]: known + 1 };
  }
  return failures;
}

/** The most frequent reasons first. */
export function mostFrequent(failures: Failures): { code: string; field: string | null; rows: number }[] {
  const all = Object.entries(failures).flatMap(([code, fields]) =>
    Object.entries(fields).map(([field, rows]) => ({ code, field: field === '' ? null : field, rows })),
  );
  return all.sort((a, b) => b.rows - a.rows).slice(0, MAX_SHOWN);
}

/** A failed row's errors: one for each message, or one for the whole row. */
export function errorsOfProblem({ code, message, details }: Problem): (RowError & { message: string })[] {
  const errors = Object.entries(details.errors ?? {}).flatMap(([field, messages]) =>
    messages.map((each) => ({
      code,
      field: firstCharacters(field, MAX_FIELD),
      message: toMessage(toSentence(field, each)),
    })),
  );
  return errors.length > 0
    ? errors.slice(0, MAX_OF_ROW)
    : [{ code, field: null, message: toMessage(message) }];
}

function toMessage(text: string): string {
  return firstCharacters(text, MAX_MESSAGE);
}
