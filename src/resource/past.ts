import { invalidFields } from '../problem.ts';

/** Reports begin on this day. */
const FIRST_TIME = '1970-01-01T00:00:00.000Z';

/** Throws 422 for times that are not in the past. `happened` says for messages what happened to the `kind` at each time. */
export function checkPast<Field extends string>(
  kind: string,
  times: Partial<Record<Field, string | undefined>>,
  happened: Record<Field, string>,
  now: string,
): void {
  const errors = (Object.keys(happened) as Field[]).flatMap((field) => {
    const time = times[field];
    if (time === undefined) return [];
    if (time > now) return [[field, [`A ${kind} can't be ${happened[field]} in the future.`]]];
    return time < FIRST_TIME ? [[field, [`A ${kind} can't be ${happened[field]} before 1970.`]]] : [];
  });
  if (errors.length > 0) throw invalidFields(Object.fromEntries(errors));
}
