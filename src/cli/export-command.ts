import { type Command, Option } from 'commander';
import { add } from './command.ts';
import { addFilters, queryOf } from './filters.ts';

/** Adds `export leads` and `export contacts`. */
export function addExportCommands(program: Command): void {
  const exports = program
    .command('export')
    .description('write leads or contacts to a file, like GET /leads/export');

  for (const kind of ['leads', 'contacts'] as const) {
    const command = add(
      exports,
      kind,
      `write all matching ${kind} to a file; takes the filters of GET /${kind}`,
      async ({ db, databaseUrl }, options) => {
        const { exportFile } = await import('./export-file.ts');
        return exportFile(kind, { db, databaseUrl, query: queryOf(kind, options), ...options });
      },
    )
      .addOption(
        new Option(
          '--format <format>',
          'the format of the file (default: that of its ending, .csv, .ndjson or .jsonl; otherwise csv)',
        ).choices(['csv', 'ndjson']),
      )
      .option('-o, --output <file>', 'the file, replaced if it exists; - is standard output', '-');
    addFilters(command, kind);
  }
}
