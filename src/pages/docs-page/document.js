/** Adapts the document to the page before Swagger UI shows it. */
export const adaptedDocument = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        // Swagger UI would read it as YAML, which takes much longer.
        parseToJson:
          (_parse, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(adapt(text)),
      },
    },
  },
});

function adapt(text) {
  // The page calls the host it was opened on, so that it works under another name and never calls another deployment.
  const published = new URL(JSON.parse(text).servers[0].url).origin;
  const document = JSON.parse(text.replaceAll(published, window.location.origin));
  const { parameters, schemas, securitySchemes } = document.components;
  // Keeps the names of types where references are resolved.
  for (const [name, schema] of Object.entries(schemas)) schema.title = name;
  for (const parameter of Object.values(parameters)) leaveEmpty(parameter);
  for (const { parameters: shared = [], ...operations } of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      for (const parameter of operation.parameters ?? []) leaveEmpty(parameter);
      operation.parameters = [...shared, ...(operation.parameters ?? [])];
    }
  }
  const { oauth2 } = securitySchemes;
  oauth2.description +=
    ' It is valid for the selected server only. Select no scope to get all that the client has.';
  return document;
}

/** Moves an example into the description: "Try it out" would fill in every filter and condition, and so find nothing. */
function leaveEmpty(parameter) {
  if (parameter.required || parameter.example === undefined) return;
  const { name, description, example } = parameter;
  parameter.description = `${description.trimEnd()} Example: ${asInQuery(name, example)}`;
  delete parameter.example;
  // Without an example, Swagger UI makes up keys and texts.
  if (isMap(example)) parameter.schema.examples = [{}];
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
