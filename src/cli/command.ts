import { Command, Option } from 'commander';
import { type Environment, environments } from '../environment.ts';
import type { CommandTarget } from './database.ts';
import { formatReport, type Report } from './report.ts';

/** An option that may be repeated. It collects its values in a list, unless argParser() sets another way. */
export class Repeatable extends Option {
  constructor(flags: string, description?: string) {
    super(flags, description);
    this.argParser((value, before: string[] | undefined) => [...(before ?? []), value]);
  }
}

/**
 * Rejects a repeated option unless it is a Repeatable: Commander would silently use its last value. Rejects unknown options
 * before it asks for missing ones, since one may be the other's wrong spelling.
 */
export class StrictCommand extends Command {
  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  override addOption(option: Option): this {
    let count = 0;
    if (option.mandatory) {
      option.makeOptionMandatory(false);
      this.hook('preAction', () => this.requireOption(option));
    }
    super.addOption(option);
    if (!option.required || option instanceof Repeatable) return this;
    return this.on(`option:${option.name()}`, () => {
      count += 1;
      if (count > 1) this.error(`error: option '${option.flags}' can be given only once`);
    });
  }

  private requireOption(option: Option): void {
    if (this.getOptionValue(option.attributeName()) !== undefined) return;
    const choices = option.argChoices === undefined ? '' : `: ${option.argChoices.join(' or ')}`;
    this.error(`error: required option '${option.flags}' not specified${choices}`);
  }
}

/** Options of all commands. Required options are always set. */
export interface Options {
  environment: Environment;
  client: string;
  name: string;
  scopes?: string[];
  expires?: Date;
  seed: number;
  leads: number;
  repair?: boolean;
  json?: boolean;
  yes?: boolean;
  /** The name of the database that the command changes. */
  database?: string;
  revokeTokens?: boolean;
  /** A release. */
  to: string;
  folder?: string;
  pgBin?: string;
  serverUrl?: string;
}

interface AddOptions {
  /** The only environment that the command works in. Otherwise, --environment is required. */
  fixed?: Environment;
  /** Whether it works in a database of any environment and version. */
  isUnchecked?: boolean;
}

/** Adds a command that works in a database. */
export function add(
  parent: Command,
  usage: string,
  description: string,
  run: (target: CommandTarget, options: Options, argument: string) => Promise<Report>,
  { fixed, isUnchecked = false }: AddOptions = {},
): Command {
  const added = define(parent, usage, description, async (command) => {
    const { withDatabase } = await import('./database.ts');
    const options = command.opts<Options>();
    // Print first: the report may contain a secret, and closing the database may wait for other commands.
    await withDatabase(
      fixed ?? options.environment,
      async (target) => print(command, await run(target, options, command.args[0] ?? '')),
      { isUnchecked },
    );
  });
  const flags = '--environment <environment>';
  if (fixed !== undefined)
    return added.addOption(new Option(flags, 'the only one that this command works in').choices([fixed]));
  const required = 'the environment to work in; required, since commands change its data';
  return added.addOption(new Option(flags, required).choices(environments).makeOptionMandatory());
}

/** Adds a command that needs no database, and prints its report. */
export function register(
  parent: Command,
  usage: string,
  description: string,
  run: (command: Command) => Promise<Report>,
): Command {
  return define(parent, usage, description, async (command) => print(command, await run(command)));
}

function print(command: Command, report: Report): void {
  if (report.failed || report.exitCode !== undefined) process.exitCode = report.exitCode ?? 1;
  const { json } = command.opts<{ json?: boolean }>();
  process.stdout.write(
    json ? `${JSON.stringify(report.json ?? report.data, null, 2)}\n` : formatReport(report),
  );
}

function define(
  parent: Command,
  usage: string,
  description: string,
  action: (command: Command) => Promise<void>,
): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print the result as one JSON document')
    .action((...args: unknown[]) => action(args.at(-1) as Command));
}
