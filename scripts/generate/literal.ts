/** A value as TypeScript, with plain keys where that can be. */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/"(\w+)":/g, '$1:');
}
