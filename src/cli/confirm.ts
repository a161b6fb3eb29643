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

interface DatabaseChange {
  /** What the database is, and what the command changes, as sentences. */
  what: string;
  /** The database's name, as the database itself says it; or that of the folder with all databases. */
  name: string;
  thing?: 'database' | 'folder';
}

interface Confirmation {
  yes?: boolean;
  database?: string;
  folder?: string;
}

/**
 * Throws unless the operator types the name of the database, or has given it with --yes. A script that runs in the wrong
 * place names another database than the one it finds there.
 */
export async function confirmDatabase(
  { what, name, thing = 'database' }: DatabaseChange,
  { yes = false, ...given }: Confirmation,
): Promise<void> {
  const named = given[thing];
  if (named !== undefined && named !== name)
    throw new Error(`The ${thing} is called ${name}, not ${named}. Nothing was changed.`);
  if (yes && named !== undefined) return;
  if (yes) throw new UsageError(`${what}\n--yes also requires the name of the ${thing}: --${thing} <name>.`);
  if (!canAsk()) {
    throw new UsageError(
      `${what}\nTo do it without a terminal, repeat the command with --yes --${thing} <name>, and the name of the ${thing}.`,
    );
  }
  const answer = await ask(`${what}\nTo go on, type the name of the ${thing}, ${name}: `);
  if (answer.trim() !== name) throw new Error(`Nothing was changed, because you did not type ${name}.`);
}
