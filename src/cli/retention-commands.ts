import type { Command } from 'commander';
import { add } from './command.ts';

/** Adds `retention show` and `retention release`. */
export function addRetentionCommands(program: Command): void {
  const retention = program.command('retention').description('the deletion of old data');

  add(
    retention,
    'show',
    'show up to when old data is deleted, and what holds the deletion back',
    async ({ db }) => {
      const { showRetention } = await import('./retention.ts');
      return showRetention(db);
    },
  );

  add(
    retention,
    'release',
    "delete old data again, although the database's clock has jumped; the time must be right",
    async ({ db, environment }, options) => {
      const { releaseRetention } = await import('./retention.ts');
      return releaseRetention(db, environment, options);
    },
  ).option('-y, --yes', 'release without asking');
}
