import { linkTo } from './links.js';

/**
 * What the sidebar lists: tags with their operations, events, and schemas. The filter finds an entry by its `names`, and by
 * its `terms`: parameters, fields and error codes.
 */
export function contentsOf(document) {
  const reader = readerOf(document);
  const groups = document.tags.map(({ name }) => ({ name, link: linkTo(name), entries: [] }));
  const groupOf = new Map(groups.map((group) => [group.name, group]));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of operationsOf(item)) {
      const [tag] = operation.tags;
      const names = [tag, path, method, operation.summary, operation.operationId];
      const terms = reader.termsOf(operation, item.parameters);
      const link = linkTo(tag, operation.operationId);
      groupOf.get(tag).entries.push({ method, title: operation.summary, link, names, terms });
    }
  }
  const events = Object.entries(document.webhooks).flatMap(([type, item]) =>
    operationsOf(item).map(([, operation]) => ({
      title: type,
      link: linkTo('webhooks', operation.operationId),
      names: ['webhooks events', type, operation.summary, operation.operationId],
      terms: reader.termsOf(operation),
    })),
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => ({
    title: name,
    link: linkTo('schemas', name),
    names: ['schemas', name],
    terms: terms('field', reader.fieldsOf(schema, false)),
  }));
  return [
    ...groups,
    { name: 'Webhook events', link: linkTo('webhooks'), entries: events },
    { name: 'Schemas', link: linkTo('schemas'), entries: schemas },
  ];
}

function operationsOf({ parameters: _shared, ...operations }) {
  return Object.entries(operations);
}

function terms(kind, names) {
  return [...names].map((name) => ({ kind, name }));
}

/** Reads parameters, fields and error codes, and what components have only once. */
function readerOf(document) {
  const known = new Map();
  const codes = document.components.schemas.ApiError.properties.code['x-extensible-enum'];

  const resolve = ({ $ref, ...own }) =>
    $ref === undefined
      ? own
      : $ref
          .split('/')
          .slice(1)
          .reduce((node, key) => node[key], document);

  /** With `follow`, also the fields of the schemas that it refers to. */
  function fieldsOf(schema, follow = true) {
    if (typeof schema !== 'object' || schema === null) return [];
    if (schema.$ref !== undefined) return follow ? remembered(schema, () => fieldsOf(resolve(schema))) : [];
    const { properties = {}, items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema;
    const parts = [...Object.values(properties), items, additionalProperties, ...allOf, ...anyOf, ...oneOf];
    return new Set([...Object.keys(properties), ...parts.flatMap((part) => [...fieldsOf(part, follow)])]);
  }

  function codesOf(response) {
    return remembered(response, () => {
      const text = JSON.stringify([resolve(response), ...examplesOf(resolve(response)).map(resolve)]);
      return codes.filter((code) => new RegExp(`\\b${code}\\b`).test(text));
    });
  }

  /** A recursive component has nothing to add to itself. */
  function remembered({ $ref }, read) {
    if ($ref === undefined) return read();
    if (!known.has($ref)) {
      known.set($ref, []);
      known.set($ref, read());
    }
    return known.get($ref);
  }

  function termsOf({ parameters = [], requestBody, responses = {} }, shared = []) {
    const answers = Object.entries(responses);
    const good = answers.filter(([status]) => status < '400').map(([, answer]) => resolve(answer));
    const bodies = [resolve(requestBody ?? {}), ...good];
    const media = bodies.flatMap(({ content = {} }) => Object.values(content));
    return [
      ...terms('parameter', new Set([...shared, ...parameters].map((parameter) => resolve(parameter).name))),
      ...terms('field', new Set(media.flatMap(({ schema }) => [...fieldsOf(schema)]))),
      ...terms(
        'error',
        new Set(answers.flatMap(([status, answer]) => (status < '400' ? [] : codesOf(answer)))),
      ),
    ];
  }

  return { fieldsOf, termsOf };
}

function examplesOf({ content = {} }) {
  return Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
}
