import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema?: { type?: string };
}

interface Document {
  paths: Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }>;
  components: { parameters: Record<string, Parameter> };
}

/** What the query parameters of a GET request do, in one or two sentences. Only help needs them, so only help reads the contract. */
export function describeQuery(path: string): Map<string, string> {
  const file = join(import.meta.dirname, '../../generated/openapi.json');
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const parameters = (paths[path]?.get?.parameters ?? [])
    .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
    .filter((one) => one?.in === 'query');
  return new Map(parameters.map((one) => [one?.name ?? '', describe(one)]));
}

function describe({ description = '', schema }: Partial<Parameter> = {}): string {
  const [sentence = ''] = description.replaceAll('`', '').split(/(?<=\.)\s/);
  return schema?.type === 'array' ? `${sentence} Repeat the option for several.` : sentence;
}
