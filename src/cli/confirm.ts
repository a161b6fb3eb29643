import { once } from 'node:events';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { DataFolder } from '../embedded-postgres/data-folders.ts';

/** Asks for the folder's name on a terminal. Throws unless it is given. */
export async function confirmRemoval({ data_dir, database, size_mib }: DataFolder): Promise<void> {
  const folder = data_dir ?? database;
  const kept = `${folder} was not deleted.`;
  if (!process.stdin.isTTY) throw new Error(`${kept} Without a terminal, confirm with --yes.`);
  const name = basename(folder);
  process.stderr.write(
    `This deletes ${folder} permanently: its databases (${size_mib} MiB), keys and credentials.\n` +
      `Type its name (${name}) to continue: `,
  );
  const lines = createInterface({ input: process.stdin });
  // Ctrl-D closes it without a line.
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])]);
  lines.close();
  if (answer.trim() !== name) throw new Error(kept);
}
