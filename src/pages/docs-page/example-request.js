/** The request of an operation with the examples of its required parameters and of its body. */
export function exampleRequest({ path, method }, { fn, oas3Selectors, specSelectors }) {
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])?.toJS() ?? {};
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
  const examplesIn = (place) =>
    required
      .filter((parameter) => parameter.in === place)
      .map(({ name, example, schema }) => [name, String(example ?? schema?.example ?? name.toUpperCase())]);

  const template = oas3Selectors.selectedServer() + path;
  const url = new URL(
    examplesIn('path').reduce(
      (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
      template,
    ),
  );
  for (const [name, value] of examplesIn('query')) url.searchParams.set(name, value);
  const headers = Object.fromEntries(examplesIn('header'));
  if (needsToken(operation, specSelectors)) headers.Authorization = 'Bearer YOUR_TOKEN';

  const [[contentType, media] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  const body = contentType && exampleBody(contentType, media, fn);
  return { method: method.toUpperCase(), url: url.href, headers, body };
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
