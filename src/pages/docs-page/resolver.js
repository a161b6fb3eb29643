/**
 * Resolves the references of a part of the document. Swagger UI's resolver parses the whole document again for each
 * part, which takes a second for every opened operation. Our document refers only to its own components.
 */
export const resolver = () => ({
  fn: {
    resolveSubtree: async (document, path) => {
      const part = path.reduce((node, key) => node?.[key], document);
      return { spec: resolve(document, part, []), errors: [] };
    },
  },
});

/** What a reference such as `#/components/schemas/Lead` refers to. */
export function targetOf(document, ref) {
  const [, ...names] = ref.split('/');
  return names.reduce((node, name) => node[name], document);
}

/** A keyword beside a reference, such as a description, replaces the target's. A recursive reference stays a reference. */
function resolve(document, node, ancestors) {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => resolve(document, item, ancestors));
  const { $ref, ...members } = node;
  if (ancestors.includes($ref)) return node;
  const own = Object.entries(members).map(([key, value]) => [key, resolve(document, value, ancestors)]);
  const target = $ref && resolve(document, targetOf(document, $ref), [...ancestors, $ref]);
  return { ...target, ...Object.fromEntries(own) };
}
