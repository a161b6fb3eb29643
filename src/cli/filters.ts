import type { Command } from 'commander';
import { operations } from '../../generated/operations.ts';

export const exportOperations = { leads: 'exportLeads', contacts: 'exportContacts' } as const;

type Kind = keyof typeof exportOperations;

/** Adds an option for each query parameter of the export. */
export function addFilters(command: Command, kind: Kind): void {
  for (const parameter of operations[exportOperations[kind]].query) {
    command.option(`--${parameter.replaceAll('_', '-')} <value>`);
  }
}

/** The query that the given options stand for. */
export function queryOf(kind: Kind, options: object): Record<string, string> {
  const given = new Map(Object.entries(options));
  const parameters = operations[exportOperations[kind]].query.map((parameter) => [
    parameter,
    given.get(parameter.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
  ]);
  return Object.fromEntries(parameters.filter(([, value]) => value !== undefined).map(inBrackets));
}

/** `--metadata plan=gold` is `metadata[plan]=gold`. */
function inBrackets([name, value]: string[]): string[] {
  if (name !== 'metadata' || value === undefined) return [name as string, value as string];
  const [key = '', ...text] = value.split('=');
  return [`metadata[${key}]`, text.join('=')];
}

interface ImportOptions {
  resource: string;
  match: string;
  onDuplicate: string;
  dryRun?: boolean;
  map?: Record<string, string>;
  default?: Record<string, string>;
}

/** The query of `POST /imports` that the given options stand for. */
export function importQuery(options: ImportOptions): Record<string, string> {
  const { resource, match, onDuplicate, dryRun = false, map = {}, default: defaults = {} } = options;
  const inside = (name: string, values: Record<string, string>) =>
    Object.entries(values).map(([key, value]) => [`${name}[${key}]`, value]);
  return {
    resource,
    match,
    on_duplicate: onDuplicate,
    dry_run: String(dryRun),
    ...Object.fromEntries([...inside('mapping', map), ...inside('defaults', defaults)]),
  };
}
