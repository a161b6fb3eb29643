import { invalidField } from '../../problem.ts';
import type { Parameter } from './schemas.ts';

/** The names of path parameters that aren't ids, such as an external id. Their schemas have a pattern. */
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
