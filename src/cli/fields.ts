import type { Environment } from '../environment.ts';
import { UsageError } from './usage-error.ts';

export type Fields = [name: string, value: unknown][];

/** The options of all commands that send requests. */
export interface RequestOptions {
  environment: Environment;
  field?: Fields;
  jsonField?: Fields;
  url?: string;
}

/** Both kinds of fields. */
export function fieldsOf({ field = [], jsonField = [] }: RequestOptions): Fields {
  return [...field, ...jsonField];
}

/** The path with the fields in its query. A repeated field is a list. */
export function withQuery(path: string, fields: Fields): string {
  const query = new URLSearchParams(
    fields.map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** The fields as the body of a request. */
export function asBody(fields: Fields): RequestInit {
  const repeated = fields.find(([name], index) => fields.findIndex(([other]) => other === name) !== index);
  if (repeated !== undefined) throw new UsageError(`"${repeated[0]}" can be given only once in a body.`);
  return {
    body: JSON.stringify(Object.fromEntries(fields)),
    headers: { 'Content-Type': 'application/json' },
  };
}
