import { ask, canAsk } from './ask.ts';
import { UsageError } from './usage-error.ts';

interface Loss {
  /** What the command deletes, as a sentence. */
  what: string;
  /** The name to type. */
  name: string;
}

/** Throws unless the operator has said --yes, or types the name of the data that the command deletes. */
export async function confirm({ what, name }: Loss, { yes = false }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new UsageError(`${what} To do it without a terminal, repeat the command with --yes.`);
  const answer = await ask(`${what}\nTo go on, type ${name}: `);
  if (answer.trim() !== name) throw new Error(`Nothing was deleted, because you did not type ${name}.`);
}
