/** Other names of parameters and of fields (`x-aliases`): handlers see only the documented one. */
import { invalidField, invalidParameter } from '../../problem.ts';
import { type Parameter, resolveSchema, type Schema, type SharedSchemas } from './schemas.ts';

/** The documented name for each other one. */
export type Aliases = ReadonlyMap<string, string>;

export function queryAliases(parameters: readonly Parameter[]): Aliases {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  return aliasesOf(own.map(({ name, 'x-aliases': aliases }) => [name, aliases]));
}

export function bodyAliases(schema: Schema, schemas: SharedSchemas): Aliases {
  const { properties = {} } = resolveSchema(schemas, schema);
  return aliasesOf(
    Object.entries(properties).map(([name, property]) => [
      name,
      (property as { 'x-aliases'?: string[] })['x-aliases'],
    ]),
  );
}

function aliasesOf(names: readonly (readonly [string, readonly string[] | undefined])[]): Aliases {
  return new Map(names.flatMap(([name, aliases = []]) => aliases.map((alias) => [alias, name] as const)));
}

/** Throws 400 if two names of a parameter have different values. */
export function renameParameters<Query extends object>(query: Query, aliases: Aliases): Query {
  return rename(query, aliases, invalidParameter);
}

/** Throws 422 if two names of a field have different values. */
export function renameFields<Body>(body: Body, aliases: Aliases): Body {
  if (aliases.size === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return rename(body, aliases, invalidField);
}

function rename<Given extends object>(
  given: Given,
  aliases: Aliases,
  fault: (name: string, message: string) => Error,
): Given {
  if (!Object.keys(given).some((name) => aliases.has(name))) return given;
  const renamed = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const own = aliases.get(name) ?? name;
    if (renamed.has(own) && JSON.stringify(renamed.get(own)) !== JSON.stringify(value)) {
      throw fault(name, `must be left out, or be the same as ${otherName(given, own, name, aliases)}`);
    }
    renamed.set(own, value);
  }
  return Object.fromEntries(renamed) as Given;
}

/** The name before this one that stands for the same. */
function otherName(given: object, own: string, name: string, aliases: Aliases): string {
  return Object.keys(given).find((other) => other !== name && (aliases.get(other) ?? other) === own) ?? own;
}
