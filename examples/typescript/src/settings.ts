/** An environment variable, which must be set unless it has a default. */
export function setting(name: string, fallback?: string): string {
  const value = process.env[name] ?? fallback;
  if (value === undefined || value === '') throw new Error(`Set the environment variable ${name}.`);
  return value;
}
