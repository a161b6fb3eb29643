interface Release {
  version: string;
  /** Its first migration. Their names sort in the order in which they were made. */
  first: string;
}

/** The releases that changed the schema, oldest first. 1.0.0 is the baseline: no database can be rolled back further. */
export const releases: readonly Release[] = [{ version: '1.0.0', first: '001' }];

/** The migrations of releases after this one, newest first. Undefined if there is no such release. */
export function migrationsAfter(version: string, names: readonly string[]): string[] | undefined {
  const index = releases.findIndex((release) => release.version === version);
  if (index < 0) return undefined;
  const next = releases[index + 1];
  return next === undefined
    ? []
    : names
        .filter((name) => name >= next.first)
        .toSorted()
        .toReversed();
}

/** Whether a migration is part of the schema of 1.0.0. `knex migrate:make` begins the names of later ones with the time. */
export function isBaseline(name: string): boolean {
  return /^\d{3}_/.test(name);
}
