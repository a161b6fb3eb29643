import { isNode } from './node.ts';

/**
 * `x-envelope: Lead` is an answer `{data}` with a Lead, and `x-envelope: [Lead]` a page `{data[], meta}`. `x-meta` names the
 * schema of `meta` if it isn't that of a page, and `x-max-items` the limit if it isn't 100. `x-items` describes the items;
 * without it, those of "A page of leads." are "The leads on this page.".
 */
export function expandEnvelope(schema: unknown): unknown {
  if (!isNode(schema) || !('x-envelope' in schema)) return schema;
  const {
    'x-envelope': enveloped,
    'x-meta': meta,
    'x-max-items': maxItems = 100,
    'x-items': items,
    ...rest
  } = schema;
  const data = Array.isArray(enveloped)
    ? {
        type: 'array',
        maxItems,
        description: items ?? String(rest.description).replace(/^A page of (.*)\.$/, 'The $1 on this page.'),
        items: toReference(enveloped[0]),
      }
    : toReference(enveloped);
  const metaSchema = metaOf(enveloped, meta);
  return {
    type: 'object',
    ...rest,
    additionalProperties: false,
    required: ['data', ...(metaSchema === undefined ? [] : ['meta'])],
    properties: { data, ...(metaSchema !== undefined && { meta: metaSchema }) },
  };
}

function metaOf(enveloped: unknown, meta: unknown): unknown {
  if (meta !== undefined) return toReference(meta);
  return Array.isArray(enveloped) ? { $ref: './common.yaml#/components/schemas/ListMeta' } : undefined;
}

function toReference(schema: unknown): unknown {
  return typeof schema === 'string' ? { $ref: `#/components/schemas/${schema}` } : schema;
}
