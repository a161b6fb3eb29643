/** A value as TypeScript source, without quotes around plain keys. */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/"(\w+)":/g, '$1:');
}
