import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../../../src/http/validation/document.ts';
import { isMembers, type Members, mapSchemas, mapValues } from '../../../src/http/validation/map-schemas.ts';
import { plainSchema } from './plain-schemas.ts';

const MERGE_PATCH = 'application/merge-patch+json';

/**
 * Rewrites the document into forms that every client and client generator handles correctly. The contract keeps its own,
 * which are stricter and give better validation messages.
 */
export function toPlainDocument(document: Document): Document {
  const paths = mapValues((document.paths ?? {}) as Members, (item) => withOwnParameters(item as Members));
  const plain = mapSchemas({ ...document, paths }, (node) =>
    plainSchema(plainContent(oneBody(node), document), document),
  ) as Document;
  return withoutUnused(plain);
}

/** Some programs, such as Semantic Kernel, ignore the parameters that a path has for all of its operations. */
function withOwnParameters({ parameters: shared = [], ...operations }: Members): Members {
  return mapValues(operations, (operation) => {
    const { parameters: own = [] } = operation as Members;
    const parameters = [...(shared as unknown[]), ...(own as unknown[])];
    return parameters.length === 0 ? operation : { ...(operation as Members), parameters };
  });
}

/**
 * Several media types of the same body make generators create several parameters or methods, or code that sends two of them.
 * So the document has the first one, and names the others. A merge patch stays: generators take it for JSON.
 */
function oneBody(node: Members): Members {
  const { requestBody } = node;
  if (!isMembers(requestBody) || !isMembers(requestBody.content)) return node;
  const [[first, body] = [], ...others] = Object.entries(requestBody.content);
  const same = others.filter(
    ([name, other]) => name !== MERGE_PATCH && isDeepStrictEqual(Object(other).schema, Object(body).schema),
  );
  if (first === undefined || same.length === 0 || same.length < others.length) return node;
  const names = same.map(([name]) => `\`${name}\``).join(' or ');
  const description = `${String(requestBody.description ?? '').trim()} You can also send it as ${names}.`;
  return {
    ...node,
    requestBody: { ...requestBody, description: description.trim(), content: { [first]: body } },
  };
}

/** Generators read the lines of NDJSON as a single JSON value. */
function plainContent(node: Members, document: Document): Members {
  const lines = node['application/x-ndjson'];
  if (!isMembers(lines) || !isMembers(lines.schema)) return node;
  if (lines.schema.type === 'string') return node;
  const name = String(lines.schema.$ref).split('/').at(-1);
  const values = Object.values((lines.examples ?? {}) as Members).map((example) => {
    const { $ref } = example as { $ref?: string };
    return document.components?.examples?.[String($ref).split('/').at(-1) ?? ''] as { value: unknown };
  });
  return {
    ...node,
    'application/x-ndjson': {
      schema: { type: 'string', description: `A JSON object on each line, each like the schema ${name}.` },
      example: values.map(({ value }) => `${JSON.stringify(value)}\n`).join(''),
    },
  };
}

/** Removes components that nothing refers to. */
export function withoutUnused(document: Document): Document {
  const text = JSON.stringify(document);
  let isWhole = true;
  const components = mapValues((document.components ?? {}) as Members, (named) => named);
  for (const kind of ['schemas', 'parameters', 'headers', 'responses', 'examples']) {
    const entries = Object.entries((components[kind] ?? {}) as Members);
    const used = entries.filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
    if (used.length < entries.length) isWhole = false;
    components[kind] = Object.fromEntries(used);
  }
  const rest = { ...document, components } as Document;
  // Components that only an unused one refers to are unused too.
  return isWhole ? rest : withoutUnused(rest);
}
