import { constants } from 'node:os';
import { getSystemErrorMessage } from 'node:util';
import { CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addClientCommands } from './cli/client-commands.ts';
import { StrictCommand } from './cli/command.ts';
import { addDataCommands } from './cli/data-commands.ts';
import { addMigrateCommands } from './cli/migrate-commands.ts';
import { addRequestCommands } from './cli/request-commands.ts';
import { addRetentionCommands } from './cli/retention-commands.ts';
import { addSandboxCommands } from './cli/sandbox-commands.ts';
import { UsageError } from './cli/usage-error.ts';
import { explainError } from './process/explain.ts';

// Each command loads its modules only when it runs, so that it starts fast.

const program = new StrictCommand('lead-pipeline')
  .description(
    'Operator commands of the Lead Pipeline API. They work while the service is running; it picks up changes within a second.',
  )
  .version(packageJson.version)
  .configureOutput({
    outputError: (text, write) =>
      write(text.replace(/^(error: unknown \w+ '.*')\n$/, '$1; --help lists them\n')),
  })
  .exitOverride();

addDataCommands(program);
addRetentionCommands(program);
addClientCommands(program);
addSandboxCommands(program);
addRequestCommands(program);
addMigrateCommands(program);

program.addHelpText(
  'after',
  `
The database:
  A command works in the embedded databases in DATA_DIR (.data in the current folder if it isn't set), or in those of
  DATABASE_URL and SANDBOX_DATABASE_URL. It says which one on stderr. npm start starts the service.

Exit codes:
  0  done
  1  failed, or rows of an import failed, or counters differ
  2  the command line is wrong
  3  an import did not start, because there are doubts about its mapping
  128 and the number of a signal that ended the command, such as 130 after Ctrl-C`,
);

// Exits with the code that a shell would report. An embedded server that this command started stops, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

// If a reader such as `head` closes the pipe, the exit code is that of SIGPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE')
    process.stderr.write(`Standard output can't be written: ${getSystemErrorMessage(error.errno ?? 0)}.\n`);
  process.exit(error.code === 'EPIPE' ? 128 + constants.signals.SIGPIPE : 1);
});
process.stderr.on('error', () => {});

try {
  await program.parseAsync();
} catch (error) {
  const isShown = error instanceof CommanderError;
  if (!isShown) process.stderr.write(`${explainError(error)}\n`);
  const isUsage = error instanceof UsageError || (isShown && error.exitCode !== 0);
  process.exitCode = isUsage ? 2 : isShown ? 0 : 1;
}
