import type { Resources } from '../../events/record-change.ts';
import type { Schema } from '../../operation.ts';
import {
  type FieldErrors,
  invalidFields,
  MAX_FIELD_ERRORS,
  type Problem,
  toSentences,
} from '../../problem.ts';
import { jsonBytes } from '../../values/json-size.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';

type Status = Schema<'BatchStatus'>;

/** Maximum size of the resources and errors in a response: a thousand may have 20 KB each. Bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

const TOO_LARGE =
  'The details were left out because the response would exceed 4 MiB. Send this item in a smaller batch.';

/** What happened to an item: the row as it is now, or why it failed. */
type Outcome<Row> = { status: Status; row?: Row; error?: Problem; merged_into?: string };

/** `lead` or `contact`, whichever the batch is about. */
interface Shown<Data> {
  id: string;
  lead?: Data;
  contact?: Data;
}

type Item<Data> = { index: number; status: Status; merged_into?: string } & Partial<
  Shown<Data> & ReturnType<typeof describe>
>;

/** The response to a batch. Throws 422 if the batch is atomic and an item failed. */
export function answerBatch<T extends PersonTypes>(
  { kind, toObject }: SingleRules<T>,
  outcomes: readonly Outcome<T['row']>[],
  { atomic = false } = {},
) {
  if (atomic) requireAll(outcomes);
  let bytes = 0;
  const fits = (shown: object) => {
    if (bytes <= MAX_BYTES) bytes += jsonBytes(shown);
    return bytes <= MAX_BYTES;
  };
  const data = outcomes.map(({ status, row, error, merged_into }, index): Item<Resources[T['kind']]> => {
    const result = { index, status };
    if (error !== undefined) {
      const described = describe(error);
      return { ...result, ...(fits(described) ? described : { code: error.code, message: TOO_LARGE }) };
    }
    if (row === undefined) return { ...result, ...(merged_into !== undefined && { merged_into }) };
    const object = toObject(row);
    const { id } = object;
    const shown: Shown<Resources[T['kind']]> = { id, [kind]: object };
    return { ...result, ...(fits(shown) ? shown : { id }) };
  });
  return { status: 200 as const, body: { data, meta: countStatuses(outcomes) } };
}

/** Throws 422 with the errors of all failed items, by fields such as `items.17.email`. */
function requireAll(outcomes: readonly Outcome<unknown>[]): void {
  const errors = outcomes.flatMap(({ error }, index) =>
    Object.entries(error?.details.errors ?? {}).map(([field, messages]): [string, string[]] => [
      // An item that isn't an object has no field.
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

function describe({ code, message, details: { errors = {}, existing_id, merged_into } }: Problem): {
  code: string;
  message: string;
  errors: FieldErrors;
  existing_id?: string;
  merged_into?: string;
} {
  return {
    ...{ code, message, errors: toSentences(errors) },
    ...(existing_id !== undefined && { existing_id }),
    ...(merged_into !== undefined && { merged_into }),
  };
}

/** The number of items, in total and by status. */
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
