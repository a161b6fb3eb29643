/**
 * Resolves the references of a part of the document. Swagger UI's resolver parses the whole document anew for each part,
 * which takes a second for every operation that is opened. Ours has references to itself only.
 */
export const resolver = () => ({
  fn: {
    resolveSubtree: async (document, path) => {
      const part = resolve(document, read(document, path), new Set());
      return { spec: withPathParameters(document, path, part), errors: [] };
    },
  },
});

function read(document, path) {
  return path.reduce((node, key) => node?.[key], document);
}

/** What stands beside a reference, such as a description, replaces that of its target. A reference to what it is part of stays one. */
function resolve(document, node, ancestors) {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => resolve(document, item, ancestors));
  const { $ref, ...members } = node;
  if (ancestors.has($ref)) return node;
  const own = Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, resolve(document, value, ancestors)]),
  );
  if ($ref === undefined) return own;
  const target = read(document, $ref.slice('#/'.length).split('/').map(unescapePointer));
  return { ...resolve(document, target, new Set([...ancestors, $ref])), ...own };
}

function unescapePointer(token) {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** An operation has the parameters of its path as well. */
function withPathParameters(document, [area, name, ...rest], part) {
  const shared = document.paths[name]?.parameters;
  if (area !== 'paths' || rest.length !== 1 || shared === undefined) return part;
  return { ...part, parameters: [...resolve(document, shared, new Set()), ...(part.parameters ?? [])] };
}
