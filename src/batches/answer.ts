import type { Schema } from '../operation.ts';
import { type FieldErrors, invalidFields, MAX_FIELD_ERRORS, type Problem } from '../problem.ts';
import { jsonBytes } from '../values/json-size.ts';

type Status = Schema<'BatchStatus'>;

/** Maximum size of the resources and errors in an answer: a thousand may have 20 KB each. Bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

const TOO_LARGE = 'The answer is too large to say what is wrong. Send this item in a smaller batch.';

/** What happened to an item: the row as it is now, or why it failed. */
type Outcome<Row> = { status: Status; row?: Row; error?: Problem };

/**
 * The answer to a batch, with the resources that `show` makes of the rows. Who may not read them sees only those that it
 * created. Throws 422 if it is atomic and an item failed.
 */
export function answerBatch<Row, Shown extends { id: string }>(
  outcomes: readonly Outcome<Row>[],
  show: (row: Row) => Shown,
  { atomic = false, mayRead = true } = {},
) {
  if (atomic) requireAll(outcomes);
  let bytes = 0;
  const fits = (shown: object) => {
    if (bytes <= MAX_BYTES) bytes += jsonBytes(shown);
    return bytes <= MAX_BYTES;
  };
  const data = outcomes.map(({ status, row, error }, index) => {
    const result = { index, status };
    if (error !== undefined) {
      const described = describe(error);
      return { ...result, ...(fits(described) ? described : { code: error.code, message: TOO_LARGE }) };
    }
    if (row === undefined) return result;
    const shown = show(row);
    const isShown = (mayRead || status === 'created') && fits(shown);
    return { ...result, ...(isShown ? shown : { id: shown.id }) };
  });
  return { status: 200 as const, body: { data, meta: countStatuses(outcomes) } };
}

/** Throws 422 for the items that failed. Their fields are named as in `items.17.email`. */
function requireAll(outcomes: readonly Outcome<unknown>[]): void {
  const errors = outcomes.flatMap(({ error }, index) =>
    Object.entries(error?.details.errors ?? {}).map(([field, messages]): [string, string[]] => [
      // An item that is no object has no field.
      field === 'body' ? `items.${index}` : `items.${index}.${field}`,
      messages,
    ]),
  );
  requireNone(errors);
}

/** Throws 422 if there are errors. */
export function requireNone(errors: readonly [string, string[]][]): void {
  if (errors.length > 0) throw invalidFields(Object.fromEntries(errors.slice(0, MAX_FIELD_ERRORS)));
}

function describe({ code, message, details: { errors = {}, existing_id } }: Problem): {
  code: string;
  message: string;
  errors: FieldErrors;
  existing_id?: string;
} {
  return { code, message, errors, ...(existing_id !== undefined && { existing_id }) };
}

/** The number of items, in all and by status. */
export function countStatuses(outcomes: readonly { status: Status }[]): Schema<'BatchMeta'> {
  const meta = {
    total: outcomes.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    found: 0,
    not_found: 0,
    failed: 0,
  };
  for (const { status } of outcomes) meta[status] += 1;
  return meta;
}
