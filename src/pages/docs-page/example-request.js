/** The request of an operation with the examples of its required parameters and of its body. */
export function exampleRequest(operation, { fn, oas3Selectors, specSelectors }, { path, method }) {
  const { operationId, parameters, requestBody } = operation;
  const values = parameters
    .filter(({ required }) => required)
    .map(({ name, example, schema }) => [name, example ?? schema.example ?? name.toUpperCase()]);
  return fn.buildRequest({
    spec: {
      openapi: '3.1.0',
      servers: specSelectors.servers().toJS(),
      components: { securitySchemes: specSelectors.securityDefinitions().toJS() },
      security: specSelectors.security().toJS(),
      paths: { [path]: { [method]: operation } },
    },
    operationId,
    server: oas3Selectors.selectedServer(),
    parameters: Object.fromEntries(values),
    requestBody: requestBody && exampleBody(requestBody, fn),
    securities: { authorized: { oauth2: { token: { access_token: 'YOUR_TOKEN' } } } },
  });
}

function exampleBody({ content }, fn) {
  const [[contentType, { example, examples = {}, schema }]] = Object.entries(content);
  const value = example ?? Object.values(examples)[0]?.value ?? fn.getSampleSchema(schema, contentType, {});
  return /[/+]json\b/.test(contentType) ? JSON.stringify(value, null, 2) : value;
}
