import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { environments } from '../environment.ts';
import type { Call } from './call-api.ts';
import { Repeatable, register } from './command.ts';
import type { Fields, RequestOptions } from './fields.ts';
import type { ImportChoices } from './import-file.ts';

/** Adds the commands that send requests to the running service. */
export function addRequestCommands(program: Command): void {
  const api = program
    .command('api <method> <path>')
    .description('send a request to the running service, and print its answer; exit code 1 if it is an error')
    .addOption(
      new Repeatable(
        '-H, --header <name:value>',
        'a header, such as "Dry-Run: true"; may be repeated',
      ).argParser(collectPairs(':', (text) => text.trim())),
    )
    .option('--input <file>', 'a file with the whole body; - is standard input')
    .option('--type <type>', 'the media type of the file (default: application/json)')
    .action(async (method: string, path: string, options: Call) => {
      const { callApi } = await import('./call-api.ts');
      process.exitCode = await callApi(method, path, options);
    });
  addRequestOptions(api, 'of the query in a GET, of the body otherwise');

  const exports = program
    .command('export')
    .description(
      'write all matching leads, contacts or sales cycles to standard output, like GET /leads/export',
    )
    .addArgument(new Argument('<resource>', 'what to export').choices(['leads', 'contacts', 'sales-cycles']))
    .addOption(
      new Option('--format <format>', 'the format of the file').choices(['csv', 'ndjson']).default('csv'),
    )
    .action(async (resource: string, options: RequestOptions & { format: 'csv' | 'ndjson' }) => {
      const { exportRows } = await import('./export-rows.ts');
      await exportRows(resource, options);
    });
  addRequestOptions(exports, 'a parameter of the export, such as a filter');

  const imports = register(
    program,
    'import <file>',
    'import a file, like POST /imports; exit code 1 if rows failed, 3 if doubts kept it from starting',
    async (command) => {
      const { importFile } = await import('./import-file.ts');
      return importFile(command.args[0] ?? '', command.opts<ImportChoices>());
    },
  ).option('-y, --yes', 'import in spite of doubts, which leaves out no row');
  addRequestOptions(imports, 'a parameter of POST /imports, or a field of PATCH /imports/{id}');
}

function addRequestOptions(command: Command, fields: string): void {
  command
    .addOption(
      new Option('--environment <environment>', 'the environment to work in')
        .choices(environments)
        .makeOptionMandatory(),
    )
    .addOption(
      new Repeatable('-f, --field <name=value>', `a text: ${fields}; may be repeated`).argParser(
        collectPairs('=', (text) => text),
      ),
    )
    .addOption(
      new Repeatable(
        '-F, --json-field <name=value>',
        'the same with a value in JSON, such as true or {"amount": "5"}',
      ).argParser(collectPairs('=', parseJson)),
    )
    .option('--url <url>', 'the address of the service (default: PUBLIC_URL, or HOST and PORT)');
}

/** Collects a repeated option's pairs. */
function collectPairs(separator: string, parse: (text: string, name: string) => unknown) {
  return (text: string, before: Fields = []): Fields => {
    const at = text.indexOf(separator);
    if (at < 1) throw new InvalidArgumentError(`Expected a name and a value, such as name${separator}value.`);
    const name = text.slice(0, at);
    return [...before, [name, parse(text.slice(at + 1), name)]];
  };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`The value of "${name}" is not JSON. Send a text with --field.`);
  }
}
