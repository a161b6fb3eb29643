/** Runs examples/typescript as its users do: its modules, and its programs as processes. */
import { join } from 'node:path';
import type { Client } from 'openapi-fetch';
import type { paths } from '../../generated/api.ts';
import { type Run, run } from './process.ts';

export const folder = join(import.meta.dirname, '../../examples/typescript');

type Fetch = (request: Request) => Promise<Response>;

interface Options {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  fetch?: Fetch;
}

interface Modules {
  'client.ts': { createLeadPipeline(options: Options): Client<paths> };
  'retries.ts': { withRetries(fetch: Fetch): Fetch };
}

/** Its types come from a running service, so the tests' compiler must not follow the import. */
export function load<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  return import(join(folder, 'src', name));
}

export function start(program: 'follow.ts' | 'receive.ts', env: Record<string, string>): Run {
  return run(process.execPath, ['--no-warnings', join(folder, 'src', program)], env);
}
