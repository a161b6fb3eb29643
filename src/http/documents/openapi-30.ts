import type { Document } from '../validation/contract.ts';
import { type Members, mapSchemas } from './map-schemas.ts';

/**
 * Converts the served document to OpenAPI 3.0.3, for generators that don't support 3.1. Drops what 3.0 can't express
 * (webhooks, patterns of names). Covers only what the document uses; the tests validate the result.
 */
export function toOpenApi30(document: Document): Members {
  const { openapi: _, info, webhooks: _webhooks, components, ...rest } = document;
  const {
    summary: _summary,
    license,
    ...otherInfo
  } = info as typeof info & { summary?: string; license?: License };
  return {
    openapi: '3.0.3',
    info: { ...otherInfo, ...(license && { license: toLicenseUrl(license) }) },
    ...(mapSchemas(
      { ...rest, components: { ...components, parameters: parametersOfPaths(document) } },
      convert,
    ) as Members),
  };
}

/** Without the parameters that only webhooks have. */
function parametersOfPaths({ paths, components }: Document): Members {
  const text = JSON.stringify(paths);
  const parameters = Object.entries(components?.parameters ?? {});
  return Object.fromEntries(
    parameters.filter(([name]) => text.includes(`"#/components/parameters/${name}"`)),
  );
}

interface License {
  name: string;
  identifier?: string;
}

/** 3.1 may identify a license by its SPDX identifier, 3.0 only by a URL. */
function toLicenseUrl({ identifier, ...license }: License) {
  return identifier === undefined
    ? license
    : { ...license, url: `https://spdx.org/licenses/${identifier}.html` };
}

function convert(node: Members): Members {
  if (typeof node.$ref === 'string') return reference(node.$ref, node);
  const { propertyNames: _, patternProperties: _patterns, const: only, examples, security, ...rest } = node;
  return nullable({
    ...rest,
    ...(Array.isArray(security) && { security: security.map(requirement) }),
    ...(only !== undefined && { enum: [only] }),
    // A list in a schema, a map elsewhere.
    ...(examples !== undefined && (Array.isArray(examples) ? { example: examples[0] } : { examples })),
  });
}

/** 3.0 has scopes for OAuth only. */
function requirement(schemes: Members): Members {
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scopes]) => [name, name === 'oauth2' ? scopes : []]),
  );
}

/** 3.0 ignores siblings of $ref. Schema references are wrapped in allOf to keep them, such as a description. */
function reference($ref: string, { $ref: _, ...siblings }: Members): Members {
  const isSchema = $ref.startsWith('#/components/schemas/');
  if (!isSchema || Object.keys(siblings).length === 0) return { $ref };
  return { allOf: [{ $ref }], ...siblings };
}

/** 3.1 lists null among a schema's types; 3.0 has `nullable`. */
function nullable(schema: Members): Members {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const [only, ...others] = type.filter((name) => name !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no schema of several types: ${type}.`);
  return { type: only, ...(type.length > 1 && { nullable: true }), ...rest };
}
