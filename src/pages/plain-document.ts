import { isDeepStrictEqual } from 'node:util';
import type { Document } from '../http/validation/document.ts';
import { isMembers, type Members, mapSchemas, mapValues } from '../http/validation/map-schemas.ts';
import { plainSchema } from './plain-schemas.ts';

/** Sent together with the other parameters, these conflict, find nothing, wait, or name a user who does not exist. */
const withoutExample = ['page', 'cursor', 'wait', 'Acting-User'];

/**
 * Rewrites the document into forms that every client and client generator handles correctly. The contract keeps its own,
 * which are stricter and give better validation messages.
 */
export function toPlainDocument(document: Document): Document {
  const plain = mapSchemas(document, (node) =>
    plainSchema(plainContent(plainParameter(oneBody(currentParameters(node))), document), document),
  ) as Document;
  return withoutUnused(plain);
}

/** Removes the former names of parameters, which the service still accepts. */
function currentParameters(node: Members): Members {
  const { parameters } = node;
  if (!Array.isArray(parameters)) return node;
  return { ...node, parameters: parameters.filter((parameter) => !('x-former-name-of' in parameter)) };
}

/**
 * Several media types of the same body make generators create several parameters or methods, or code that sends two of them.
 * So the document has the first one, and names the others.
 */
function oneBody(node: Members): Members {
  const { requestBody } = node;
  if (!isMembers(requestBody) || !isMembers(requestBody.content)) return node;
  const [[first, body] = [], ...others] = Object.entries(requestBody.content);
  const same = others.filter(([, other]) => isDeepStrictEqual(Object(other).schema, Object(body).schema));
  if (first === undefined || same.length === 0 || same.length < others.length) return node;
  const names = same.map(([name]) => `\`${name}\``).join(' or ');
  const description = `${String(requestBody.description ?? '').trim()} You can also send it as ${names}.`;
  return {
    ...node,
    requestBody: { ...requestBody, description: description.trim(), content: { [first]: body } },
  };
}

/**
 * `allowReserved` lets a client send reserved characters as they are. Swagger UI and others also do so with `#`, `&` and
 * `+`, which end or change the value.
 */
function plainParameter(node: Members): Members {
  if (typeof node.in !== 'string' || typeof node.name !== 'string') return node;
  const { allowReserved: _, example, 'x-required-with-file': withFile, ...others } = node;
  // Clients made from the served document send files only: see plainContent().
  const rest = withFile === true ? { ...others, required: true } : others;
  return example === undefined || withoutExample.includes(node.name) ? rest : { ...rest, example };
}

/**
 * Generators read the lines of NDJSON as a single JSON value. If a request takes a file or a JSON document, some of them send
 * either as it is, which is no JSON, or both as JSON, which is no file. So their clients send files only.
 */
function plainContent(node: Members, document: Document): Members {
  const lines = node['application/x-ndjson'];
  if (!isMembers(lines) || !isMembers(lines.schema)) return node;
  if (lines.schema.type === 'string') {
    const { 'application/json': _, ...files } = node;
    return files;
  }
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
