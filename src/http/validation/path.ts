import { invalidField } from '../../problem.ts';
import type { Parameter } from './schemas.ts';

/** Which of these parameters are texts in the path. Unlike ids, they have rules of their own. */
export function pathTextsOf(parameters: readonly Parameter[]): string[] {
  const texts = parameters.filter(({ in: place, schema }) => place === 'path' && 'pattern' in schema);
  return texts.map(({ name }) => name);
}

/** Throws 422 for control characters. PostgreSQL can't store NUL, and the pattern of a parameter is not anchored. */
export function checkPathTexts(path: Record<string, string | undefined>, texts: readonly string[]): void {
  for (const name of texts) {
    if (/\p{Cc}/u.test(path[name] ?? '')) throw invalidField(name, 'must not contain control characters');
  }
}
