/** Code that sends a request `{ method, url, headers, body }`, whose body is a string or undefined. */
export function toJavaScript({ method, url, headers, body }) {
  const json = parseJson(headers, body);
  const options = [
    `method: ${JSON.stringify(method)},`,
    Object.keys(headers).length > 0 && `headers: ${indent(JSON.stringify(headers, null, 2))},`,
    json !== undefined && `body: JSON.stringify(${indent(JSON.stringify(json, null, 2))}),`,
    json === undefined && body !== undefined && `body: ${JSON.stringify(body)},`,
  ].filter(Boolean);
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...options.map((option) => `  ${option}`),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** For the library Requests. */
export function toPython({ method, url, headers, body }) {
  const json = parseJson(headers, body);
  const values = [
    `${JSON.stringify(url)},`,
    Object.keys(headers).length > 0 && `headers=${indent(pythonLiteral(headers), 4)},`,
    json !== undefined && `json=${indent(pythonLiteral(json), 4)},`,
    json === undefined && body !== undefined && `data=${JSON.stringify(body)}.encode(),`,
  ].filter(Boolean);
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...values.map((value) => `    ${value}`),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}

/** A JSON string is a Python string too. */
function pythonLiteral(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map(pythonLiteral)
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `    ${indent(item, 4)},\n`).join('')}${close}`;
}

/** The parsed body, or undefined if it isn't JSON. */
function parseJson(headers, body) {
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (body === undefined || !/[/+]json\b/.test(contentType ?? '')) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Indents all lines but the first. */
function indent(text, width = 2) {
  return text.replaceAll('\n', `\n${' '.repeat(width)}`);
}
