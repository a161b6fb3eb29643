import { type Command, Help, InvalidArgumentError, type Option } from 'commander';
import { operations } from '../../generated/operations.ts';
import { Repeatable } from './command.ts';
import { describeQuery } from './filter-help.ts';

export const exportOperations = { leads: 'exportLeads', contacts: 'exportContacts' } as const;

type Kind = keyof typeof exportOperations;

/** Adds an option for each query parameter of the export. The contract decides which of them may be repeated. */
export function addFilters(command: Command, kind: Kind): void {
  for (const parameter of operations[exportOperations[kind]].query) {
    const name = `--${parameter.replaceAll('_', '-')}`;
    command.addOption(
      parameter === 'metadata'
        ? new Repeatable(`${name} <key=value>`).argParser(parsePairs)
        : new Repeatable(`${name} <value>`),
    );
  }
  let described: Map<string, string> | undefined;
  const describe = (option: Option) => {
    described ??= describeQuery(operations[exportOperations[kind]].path);
    return described.get(option.name().replaceAll('-', '_'));
  };
  const help = new Help();
  command.configureHelp({
    optionDescription: (option) =>
      (option instanceof Repeatable ? describe(option) : undefined) ?? help.optionDescription(option),
  });
}

/** Like a parsed URL query: a repeated parameter has a list of values. */
export type ListQuery = Record<string, string | string[]>;

/** Converts options to the query of the export. */
export function queryOf(kind: Kind, options: object): ListQuery {
  const given = new Map<string, string[]>(Object.entries(options));
  const query = new Map<string, string[]>();
  for (const parameter of operations[exportOperations[kind]].query) {
    const option = parameter.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    for (const text of given.get(option) ?? []) {
      const [name, value] = parameter === 'metadata' ? inBrackets(text) : [parameter, text];
      query.set(name, [...(query.get(name) ?? []), value]);
    }
  }
  return Object.fromEntries(
    [...query].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

function parsePairs(text: string, before: string[] = []): string[] {
  if (text.indexOf('=') > 0) return [...before, text];
  throw new InvalidArgumentError('Expected a key and a value, such as plan=gold.');
}

/** Converts `--metadata plan=gold` to `metadata[plan]=gold`. */
function inBrackets(text: string): [name: string, value: string] {
  const [key = '', ...value] = text.split('=');
  return [`metadata[${key}]`, value.join('=')];
}
