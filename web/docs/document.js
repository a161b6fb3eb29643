/** Adapts the document to the page before Swagger UI shows it. */
const adaptedDocument = () => ({
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
  for (const parameter of Object.values(parameters)) leaveEmpty(parameter);
  for (const { parameters: shared = [], ...operations } of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      for (const parameter of operation.parameters ?? []) leaveEmpty(parameter);
      operation.parameters = [...shared, ...(operation.parameters ?? [])];
      operation.description = withLinks(operation);
      for (const media of Object.values(operation.requestBody?.content ?? {})) leaveRequired(media, schemas);
    }
  }
  securitySchemes.oauth2.description +=
    ' It is valid for the selected server only. Select no scope to get all that the client has.';
  return document;
}

/** Swagger UI shows no extensions of operations. The reference explains each code. */
function withLinks({ description, operationId, tags: [tag], 'x-error-codes': codes }) {
  // As pageOf() in web/guides/reference/operations.ts.
  const page = tag.toLowerCase().replaceAll("'", '').replaceAll(' ', '-');
  const names = codes.map((code) => `\`${code}\``).join(', ');
  return `${description.trimEnd()}\n\n[Reference, with code](../guides/reference/${page}#${operationId.toLowerCase()}). Errors: ${names}, and [those of every operation](../guides/errors#all-codes).`;
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

/** The example of a body has the required fields only, so that it can be sent as it is. */
function leaveRequired(media, schemas) {
  const { required } = schemas[media.schema?.$ref?.split('/').at(-1)] ?? {};
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value;
  if (required === undefined || !isMap(example)) return;
  delete media.examples;
  media.example = Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)));
}

/** An object is written as `metadata[plan]=gold`. */
function asInQuery(name, example) {
  const texts = isMap(example)
    ? Object.entries(example).map(([key, value]) => `${name}[${key}]=${value}`)
    : [example];
  return texts.map((text) => `\`${text}\``).join(', ');
}

function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

docsPlugins.push(adaptedDocument);
