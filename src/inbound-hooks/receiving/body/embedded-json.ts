import { parseExactJson } from '../../../values/exact-json.ts';
import { countValues } from './plain-values.ts';

/**
 * A text that is a JSON object, as JSON.parse and parseExactJson() read it. Undefined for any other. Form platforms, such as Jotform,
 * send all answers as JSON in one field of a form.
 */
export function embeddedObject(
  text: unknown,
  maxValues: number,
): { plain: object; exact: unknown } | undefined {
  if (typeof text !== 'string' || !text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    const plain: object = JSON.parse(text);
    return countValues(plain, maxValues) > maxValues ? undefined : { plain, exact: parseExactJson(text) };
  } catch {
    return undefined;
  }
}
