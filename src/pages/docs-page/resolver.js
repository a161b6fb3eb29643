/**
 * Resolves the references of a part of the document. Swagger UI's resolver parses the whole document again for each
 * part, which takes a second for every opened operation. Our document refers only to itself.
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

/** A keyword beside a reference, such as a description, replaces the target's. A recursive reference stays a reference. */
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

/** An operation also has the parameters of its path. */
function withPathParameters(document, [area, name, ...rest], part) {
  const shared = document.paths[name]?.parameters;
  if (area !== 'paths' || rest.length !== 1 || shared === undefined) return part;
  return { ...part, parameters: [...resolve(document, shared, new Set()), ...(part.parameters ?? [])] };
}
