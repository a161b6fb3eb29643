/** The request of an operation with the examples of its required parameters and of its body. */
export function exampleRequest({ path, method }, { fn, oas3Selectors, specSelectors }) {
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS() ?? {};
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
  const url = new URL(oas3Selectors.selectedServer() + path);
  const headers = {};
  if (needsToken(operation, specSelectors)) headers.Authorization = 'Bearer YOUR_TOKEN';
  for (const { name, in: place, example, schema } of required) {
    const value = String(example ?? schema?.example ?? name.toUpperCase());
    if (place === 'path')
      url.pathname = decodeURI(url.pathname).replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') url.searchParams.set(name, value);
    if (place === 'header') headers[name] = value;
  }
  const [[contentType, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (contentType === undefined) return { method: method.toUpperCase(), url: url.href, headers };
  headers['Content-Type'] = contentType;
  return { method: method.toUpperCase(), url: url.href, headers, body: exampleBody(contentType, media, fn) };
}

function needsToken(operation, specSelectors) {
  const security = operation.security ?? specSelectors.security()?.toJS() ?? [];
  return security.some((schemes) => 'oauth2' in schemes);
}

function exampleBody(contentType, { example, examples = {}, schema }, fn) {
  const value = example ?? Object.values(examples)[0]?.value ?? fn.getSampleSchema(schema, contentType, {});
  if (typeof value === 'string') return value;
  return /[/+]json\b/.test(contentType) ? JSON.stringify(value, null, 2) : `${new URLSearchParams(value)}`;
}
