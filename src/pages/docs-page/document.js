/** Adapts the document to the page before Swagger UI shows it. */
export const changesOfDocument = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          callThisHost(document);
          leaveOptionalsEmpty(document);
          sortSchemas(document);
          nameSchemas(document);
          return update(document);
        },
      },
    },
  },
});

/**
 * The document has the public URL, but the page calls the host it was opened on, so that it works under another host name
 * and never calls another deployment.
 */
function callThisHost({ servers, externalDocs, tags, paths, components }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const link of [
    ...servers,
    externalDocs,
    ...[...tags, ...operations].flatMap(({ externalDocs = [] }) => externalDocs),
  ]) {
    const { pathname, hash } = new URL(link.url);
    link.url = window.location.origin + pathname + hash;
  }
  const { oauth2 } = components.securitySchemes;
  const flow = oauth2.flows.clientCredentials;
  oauth2.description +=
    ' It is valid for the selected server only. Select no scope to get all that the client has.';
  // Swagger UI shows descriptions of scopes as plain text.
  for (const scope of Object.keys(flow.scopes)) flow.scopes[scope] = flow.scopes[scope].replaceAll('`', '');
}

/** Moves examples into descriptions: "Try it out" would fill in every filter and condition, and so find nothing. */
function leaveOptionalsEmpty({ paths, components }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(components.parameters)]) {
    if (parameter.required || parameter.example === undefined) continue;
    const { name, description, example } = parameter;
    parameter.description = `${description.trimEnd()} Example: ${asInQuery(name, example)}`;
    delete parameter.example;
    // Without an example, Swagger UI makes up keys and texts.
    if (isMap(example)) parameter.schema.examples = [{}];
  }
}

/** An object is written as `metadata[plan]=gold`. */
function asInQuery(name, example) {
  const texts = isMap(example)
    ? Object.entries(example).map(([key, value]) => `${name}[${key}]=${value}`)
    : [example];
  return texts.map((text) => `\`${text}\``).join(', ');
}

function isMap(value) {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Keeps the names of types where the page resolves references. */
function nameSchemas({ components }) {
  for (const [name, schema] of Object.entries(components.schemas)) schema.title = name;
}

function sortSchemas({ components }) {
  const byName = ([a], [b]) => a.localeCompare(b, 'en');
  components.schemas = Object.fromEntries(Object.entries(components.schemas).sort(byName));
}
