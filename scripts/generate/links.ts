interface Link {
  operationId: string;
  description?: string;
  parameters: Record<string, string>;
}

interface Operation {
  operationId: string;
  parameters?: { $ref?: string; name?: string }[];
  responses: Record<string, { links?: Record<string, Link> }>;
}

type PathItem = Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>;

/** The parts of the bundled document that links connect. */
export interface LinkedDocument {
  paths?: Record<string, PathItem>;
}

/**
 * Adds links: from the operation that creates a resource to those that read, change and delete it, and from a page of a list to
 * the next one.
 */
export function addLinks({ paths = {} }: LinkedDocument): void {
  for (const [path, { get, post }] of Object.entries(paths)) {
    const [itemPath = '', item = {}] = Object.entries(paths).find(([other]) => isItemOf(other, path)) ?? [];
    const created = post?.responses[201] ?? post?.responses[202];
    if (created !== undefined) addTo(created, Object.values(item).filter(isOperation).map(toItem(itemPath)));
    if (get?.parameters?.some(({ $ref, name }) => name === 'cursor' || $ref?.endsWith('Cursor'))) {
      addTo(get.responses[200], [nextPage(path, get)]);
    }
  }
}

function isItemOf(path: string, list: string): boolean {
  return path.startsWith(`${list}/{`) && !path.slice(list.length + 1).includes('/');
}

function isOperation(member: Operation | unknown): member is Operation {
  return typeof member === 'object' && member !== null && 'operationId' in member;
}

function addTo(response: { links?: Record<string, Link> } | undefined, links: Link[]): void {
  if (response === undefined || links.length === 0) return;
  response.links = Object.fromEntries(links.map((link) => [link.operationId, link]));
}

/** A link to an operation on the created resource, whose id is the last one in the path. */
function toItem(path: string) {
  const [id = '', ...parents] = namesIn(path).reverse();
  return ({ operationId }: Operation): Link => ({
    operationId,
    parameters: { ...ofRequest(parents), [id]: '$response.body#/data/id' },
  });
}

function nextPage(path: string, { operationId }: Operation): Link {
  return {
    operationId,
    description: 'The next page, with the same filters and order.',
    parameters: { ...ofRequest(namesIn(path)), cursor: '$response.body#/meta/next_cursor' },
  };
}

function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}

function ofRequest(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `$request.path.${name}`]));
}
