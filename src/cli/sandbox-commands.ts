import type { Command } from 'commander';
import { schemas } from '../../generated/limits.ts';
import { add } from './command.ts';
import { parseInteger } from './values.ts';

const { seed, leads } = schemas.SeedSandbox;
/** More than a request can add within its time limit. */
const MAX_SEEDED_LEADS = 100_000;

/** Adds `sandbox seed` and `sandbox reset`. */
export function addSandboxCommands(program: Command): void {
  const sandbox = program.command('sandbox').description("the sandbox's data; production is never touched");

  add(
    sandbox,
    'seed',
    'add users, contacts, content and leads, generated from a seed',
    async ({ db }, { seed, leads }) => {
      const { createProgress } = await import('./progress.ts');
      const { seedData } = await import('../sandbox/seed.ts');
      const onProgress = createProgress(process.stderr, leads);
      const counts = await db.transaction((trx) =>
        seedData(trx, { seed, leads, requestId: 'cli-sandbox-seed', onProgress }),
      );
      return { title: 'The sandbox has new data:', data: { seed, ...counts } };
    },
    { fixed: 'sandbox' },
  )
    .option('--seed <number>', 'the same seed generates the same data', parseInteger(seed), seed.default)
    .option(
      '--leads <number>',
      'number of leads',
      parseInteger({ ...leads, maximum: MAX_SEEDED_LEADS }),
      leads.default,
    );

  add(
    sandbox,
    'reset',
    'delete all users, contacts, content and leads; clients, keys and tokens are kept',
    async ({ db }, options) => {
      const { confirm } = await import('./confirm.ts');
      const { reset } = await import('../sandbox/queries.ts');
      await confirm({ what: 'This deletes all data of the sandbox, for good.', name: 'sandbox' }, options);
      return { title: 'The sandbox is empty. Deleted:', data: await db.transaction(reset) };
    },
    { fixed: 'sandbox' },
  ).option('-y, --yes', 'delete without asking');
}
