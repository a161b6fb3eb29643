import { Problem } from '../problem.ts';

/** The command line lacks something, or contradicts itself. The exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A fault that the contract finds names the option, and leaves out what only matters in an address. */
export async function asUsage<Checked>(check: () => Checked | Promise<Checked>): Promise<Checked> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = error.message.replace(' (write + as %2B)', '');
    throw new UsageError(message.replace(/^[a-z_]+/, (name) => `--${name.replaceAll('_', '-')}`));
  }
}
