import { addressOf } from './addresses.js';
import { targetOf } from './resolver.js';

/**
 * What the sidebar lists: tags with their operations, events, and schemas. The filter finds an entry by its `names`, and by
 * its `terms`, such as `error not_found`.
 */
export function contentsOf(document) {
  const termsOf = termsReader(document);
  const groups = document.tags.map(({ name }) => ({ name, link: addressOf(name), entries: [] }));
  for (const [path, { parameters: _shared, ...operations }] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { tags, summary, operationId } = operation;
      const { name, entries } = groups.find((group) => group.name === tags[0]);
      const names = searchable(name, path, method, summary, operationId);
      const link = addressOf(name, operationId);
      entries.push({ method, title: summary, link, names, terms: termsOf(operation) });
    }
  }
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    title: type,
    link: addressOf('webhooks', post.operationId),
    names: searchable('webhooks events', type, post.summary, post.operationId),
    terms: termsOf(post),
  }));
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => ({
    title: name,
    link: addressOf('schemas', name),
    names: searchable('schemas', name),
    terms: fieldsOf(schema),
  }));
  schemas.sort((a, b) => a.title.localeCompare(b.title, 'en'));
  return [
    ...groups,
    { name: 'Webhook events', link: addressOf('webhooks'), entries: events },
    { name: 'Schemas', link: addressOf('schemas'), entries: schemas },
  ];
}

function searchable(...names) {
  return names.join('\n').toLowerCase();
}

function fieldsOf({ properties = {} }) {
  return Object.keys(properties).map((name) => `field ${name}`);
}

/** Reads parameters, fields and error codes from a part of the document and all that it refers to. */
function termsReader({ components }) {
  const codes = new Set(components.schemas.ApiError.properties.code['x-extensible-enum']);
  // Every operation may answer with it, so it says nothing about one.
  const known = new Map([['#/components/schemas/ApiError', []]]);

  /** A recursive schema has nothing to add to itself. */
  function readOnce(ref) {
    if (!known.has(ref)) {
      known.set(ref, []);
      known.set(ref, read(targetOf({ components }, ref)));
    }
    return known.get(ref);
  }

  function read(node, terms = new Set()) {
    if (typeof node === 'string') {
      for (const word of node.match(/\w+/g) ?? []) if (codes.has(word)) terms.add(`error ${word}`);
    } else if (node?.$ref !== undefined) {
      for (const term of readOnce(node.$ref)) terms.add(term);
    } else if (typeof node === 'object' && node !== null) {
      if (node.in !== undefined) terms.add(`parameter ${node.name}`);
      for (const term of fieldsOf(node)) terms.add(term);
      for (const member of Object.values(node)) read(member, terms);
    }
    return terms;
  }

  return (part) => [...read(part)];
}
