const MAX_ATTEMPTS = 3;

/** `code` is PostgreSQL's serialization_failure. The same request may succeed later. */
class ConflictError extends Error {
  override name = 'ConflictError';
  override message = 'The write conflicted with a row that concurrent transactions added and deleted.';
  readonly code = '40001';
}

/**
 * Writes a row, or finds the row that conflicts with it: then `write` returns undefined. Repeats both if a concurrent
 * transaction deletes that row before it is found. Throws ConflictError if that keeps happening.
 */
export async function writeOrFind<Row, Other = Row>(
  write: () => Promise<Row | undefined>,
  find: () => Promise<Other | undefined>,
): Promise<Row | Other> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const row = (await write()) ?? (await find());
    if (row !== undefined) return row;
  }
  throw new ConflictError();
}
