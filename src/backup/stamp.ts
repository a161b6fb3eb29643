/** The time for names of folders and databases: 20261127180000. */
export function stamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '');
}
