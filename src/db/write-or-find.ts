const MAX_ATTEMPTS = 3;

/** `code` is PostgreSQL's for concurrent transactions that could not be serialized. The same request may succeed later. */
class ConflictError extends Error {
  override name = 'ConflictError';
  override message = 'The write conflicted with a row that concurrent transactions added and deleted.';
  readonly code = '40001';
}

/**
 * Writes a row, or else finds the one that is in its way, where concurrent transactions may do the same. `write` returns
 * undefined if there is one. It is repeated if that one is deleted before it is found. Throws ConflictError if that
 * happens again and again.
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
