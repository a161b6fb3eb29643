import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  type?: string;
  enum?: string[];
  items?: Schema;
  $ref?: string;
}

interface Parameter {
  name: string;
  in: string;
  description: string;
  schema: Schema;
  $ref?: string;
}

interface Document {
  paths: Record<string, { get?: { parameters: Parameter[] } }>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

/** Sentences that also help at the command line. The others are about requests. */
const useful = /^(Use `none`|Send an RFC 3339|Requires|A leading `-`|With several|Write it with)/;

/** What the query parameters of a GET request do. Only help needs this, so only help reads the contract. */
export function describeQuery(path: string): Map<string, string> {
  const file = join(import.meta.dirname, '../../generated/openapi.json');
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const nameIn = ({ $ref = '' }: { $ref?: string }) => $ref.split('/').at(-1) ?? '';
  const parameters = paths[path]?.get?.parameters ?? [];
  return new Map(
    parameters
      .map((one) => components.parameters[nameIn(one)] ?? one)
      .map(({ name, description, schema }) => {
        const value = schema.items ?? schema;
        const choices = (components.schemas[nameIn(value)] ?? value).enum;
        const [first = '', ...others] = description.replaceAll(/\s+/g, ' ').split(/(?<=\.) /);
        const sentences = [first, ...others.filter((sentence) => useful.test(sentence))];
        if (schema.type === 'array') sentences.push('Repeat the option for several.');
        if (choices !== undefined && choices.length > 1) sentences.push(`One of ${choices.join(', ')}.`);
        const text = sentences
          .join(' ')
          .replaceAll(/(?<=Requires )`(\w+)`/g, '--$1')
          .replaceAll('`', '');
        return [name, text];
      }),
  );
}
