import { defined, isNode, type Node } from './node.ts';

/**
 * What an operation leaves out. Its tag is the file's `x-tag`. A GET counts in the rate-limit class `read`, anything else in
 * `write`. `x-guide: { users#add-one: Add a user }` is a chapter, or a part of one, with the text of the link.
 */
export function addDefaults(operation: Node, method: string, tag: unknown): Node {
  if (!('operationId' in operation)) return operation;
  const {
    operationId,
    tags,
    summary,
    'x-guide': guide,
    description,
    'x-rate-limit': limit,
    ...rest
  } = operation;
  const usual = {
    operationId,
    tags: tags ?? (tag === undefined ? undefined : [tag]),
    summary,
    externalDocs: isNode(guide) ? toLink(guide) : undefined,
    description,
    'x-rate-limit': limit ?? (method === 'get' ? 'read' : 'write'),
  };
  return { ...defined(usual), ...rest };
}

function toLink(guide: Node): Node {
  const [[place, description] = []] = Object.entries(guide);
  return { description, url: `/guides/${place}` };
}
