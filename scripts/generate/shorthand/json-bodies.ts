import { defined, isNode, mapValues, type Node } from './node.ts';
import { expandSchema } from './schemas.ts';

/** Headers whose component has another name than the header without its hyphens. */
const headerComponents: Record<string, string> = { 'Cache-Control': 'NoStore' };

/**
 * What a response or a request body says about JSON stands directly in it: `schema`, `example` or `examples`, and
 * `x-merge-patch-example` if it may also be a merge patch. `content` has the other media types. A name stands for the schema
 * or the example of the same file. `headers: [ETag]` are headers of common.yaml.
 */
export function expandJsonBody(body: unknown): unknown {
  if (!isNode(body)) return body;
  const { headers, schema, example, examples, 'x-merge-patch-example': patch, content, ...rest } = body;
  const json = expandMedia({ schema, example, examples });
  const media = {
    ...(Object.keys(json).length > 0 && { 'application/json': json }),
    ...(patch !== undefined && {
      'application/merge-patch+json': defined({ schema: json.schema, example: patch }),
    }),
    ...(mapValues(content, expandMedia) as Node | undefined),
  };
  return {
    ...rest,
    ...(headers !== undefined && { headers: toHeaders(headers) }),
    ...(Object.keys(media).length > 0 && { content: media }),
  };
}

/** A request body is required unless it says `required: false`. */
export function expandRequestBody(body: unknown): unknown {
  if (!isNode(body) || !('description' in body)) return expandJsonBody(body);
  const { description, required = true, ...rest } = body;
  return expandJsonBody({ description, required, ...rest });
}

function expandMedia(media: unknown): Node {
  const { schema, examples, ...rest } = media as Node;
  return defined({
    schema: expandSchema(toReference(schema, 'schemas')),
    ...rest,
    examples: mapValues(examples, (example) => toReference(example, 'examples')),
  });
}

function toReference(value: unknown, kind: string): unknown {
  return typeof value === 'string' ? { $ref: `#/components/${kind}/${value}` } : value;
}

function toHeaders(headers: unknown): unknown {
  if (!Array.isArray(headers)) return headers;
  const named = (headers as string[]).map((name) => {
    const component = headerComponents[name] ?? name.replaceAll('-', '');
    return [name, { $ref: `./common.yaml#/components/headers/${component}` }];
  });
  return Object.fromEntries(named);
}
