import { delimiter } from 'node:path';

/** The folders in PATH. */
export function programFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** The environment for PostgreSQL's tools: that of this process, without what would lead them to another database. */
export function toolEnvironment(own: Record<string, string>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') || name === 'PGPASSFILE',
  );
  return { ...Object.fromEntries(inherited), ...own };
}
