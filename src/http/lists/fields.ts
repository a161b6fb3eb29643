import type { Answer } from '../../operation.ts';

/** The answer whose items have only these fields and their id. Undefined for all fields. */
export function withFields<Outcome extends Answer>(
  answer: Outcome,
  fields: readonly string[] | undefined,
): Outcome {
  const { body } = answer;
  if (fields === undefined || typeof body !== 'object' || body === null || !('data' in body)) return answer;
  const { data } = body;
  return Array.isArray(data)
    ? { ...answer, body: { ...body, data: data.map((item) => only(item, fields)) } }
    : answer;
}

/** The object with only these fields and its id. */
export function only(item: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name)));
}

/** The columns with these fields, in this order. An id that isn't among them comes first. */
export function columnsWith(columns: readonly string[], fields: readonly string[]): string[] {
  const names = new Set(fields.includes('id') ? fields : ['id', ...fields]);
  return [...names].flatMap((name) =>
    columns.filter((column) => column === name || column.startsWith(`${name}.`)),
  );
}
