/** The command line lacks something, or contradicts itself. The exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
