/** Code that sends an operation's request: the required parameters and the body, with the values of their examples. */
import type { Document } from '../../../src/http/validation/document.ts';

/** As Redoc and Scalar read it from `x-codeSamples`. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

interface Example {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
  schema?: { examples?: unknown[] };
}

interface Parameter extends Example {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
}

interface Operation {
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, { content?: Record<string, unknown> }>;
  'x-codeSamples'?: CodeSample[];
}

interface Request {
  method: string;
  /** With its parameters' names in braces. */
  path: string;
  parameters: { name: string; in: Parameter['in']; value: unknown }[];
  contentType: string | undefined;
  body: unknown;
  isAuthorized: boolean;
  /** Whether the answer is JSON, or none. */
  isJson: boolean;
}

/** Adds the samples to each operation. */
export function addCodeSamples(document: Document): void {
  const parameterOf = ({ $ref, ...own }: Parameter): Parameter => {
    const name = $ref?.split('/').at(-1);
    return name === undefined ? own : (document.components?.parameters?.[name] as unknown as Parameter);
  };
  for (const [path, { parameters: shared = [], ...operations }] of Object.entries(document.paths ?? {}) as [
    string,
    { parameters?: Parameter[] },
  ][]) {
    for (const [method, operation] of Object.entries(operations) as [string, Operation][]) {
      const parameters = [...shared, ...(operation.parameters ?? [])].map(parameterOf);
      const request = requestOf(method.toUpperCase(), path, parameters, operation);
      operation['x-codeSamples'] = [
        { lang: 'Shell', label: 'curl', source: toCurl(request) },
        { lang: 'TypeScript', label: 'TypeScript', source: toTypeScript(request) },
        { lang: 'Python', label: 'Python', source: toPython(request) },
      ];
    }
  }
}

function requestOf(method: string, path: string, parameters: Parameter[], operation: Operation): Request {
  const { security, requestBody, responses } = operation;
  const [[contentType, media] = []] = Object.entries(requestBody?.content ?? {});
  const answers = Object.entries(responses).filter(([status]) => status < '300');
  return {
    method,
    path,
    parameters: parameters
      .filter(({ required }) => required)
      .map((parameter) => ({ name: parameter.name, in: parameter.in, value: exampleOf(parameter) })),
    contentType,
    body: media && exampleOf(media),
    isAuthorized: security?.length !== 0,
    isJson: answers.every(([, { content = {} }]) => (Object.keys(content)[0] ?? 'json').includes('json')),
  };
}

function exampleOf({ example, examples = {}, schema }: Example): unknown {
  return example ?? Object.values(examples)[0]?.value ?? schema?.examples?.[0];
}

/** The URL's path and query, and the headers but those for the body and the token. */
function addressOf({ path, parameters }: Request) {
  const values = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters.filter((each) => each.in === place).map(({ name, value }) => [name, String(value)]),
    );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values('path')[name] ?? ''));
  const query = new URLSearchParams(values('query')).toString();
  return { url: query === '' ? filled : `${filled}?${query}`, headers: values('header') };
}

function headersOf(request: Request, token: string): Record<string, string> {
  const { contentType, isAuthorized } = request;
  return {
    ...(isAuthorized && { Authorization: token }),
    ...(contentType && { 'Content-Type': contentType }),
    ...addressOf(request).headers,
  };
}

function toCurl(request: Request): string {
  const { method, body } = request;
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const headers = Object.entries(headersOf(request, 'Bearer $TOKEN'));
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [
    `curl ${isImplied ? '' : `-X ${method} `}"$API${addressOf(request).url}"`,
    ...headers.map(([name, value]) => `  -H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`  --data-binary '${text.replaceAll("'", `'\\''`)}'`]),
  ].join(' \\\n');
}

function toTypeScript({
  method,
  path,
  parameters,
  contentType,
  body,
  isAuthorized,
  isJson,
}: Request): string {
  const places = Object.entries(Object.groupBy(parameters, (parameter) => parameter.in)).map(
    ([place, those]) => [place, Object.fromEntries(those.map(({ name, value }) => [name, value]))],
  );
  const isText = typeof body === 'string';
  const options = [
    places.length > 0 && `params: ${literal(Object.fromEntries(places))},`,
    body !== undefined && `body: ${literal(body)},`,
    isText && `bodySerializer: (body) => body,`,
    isText && `headers: ${literal({ 'Content-Type': contentType })},`,
    !isJson && `parseAs: 'text',`,
  ].filter((line) => line !== false);
  const given = options.length === 0 ? '' : `, {\n${options.map((line) => `  ${indent(line)}\n`).join('')}}`;
  return [
    `import createClient from 'openapi-fetch';`,
    `import type { paths } from './lead-pipeline.ts';`,
    '',
    `const api = createClient<paths>({`,
    `  baseUrl: process.env.API,`,
    ...(isAuthorized ? [`  headers: { Authorization: \`Bearer \${process.env.TOKEN}\` },`] : []),
    `});`,
    `const { data, error } = await api.${method}(${quoted(path)}${given});`,
    `if (error) throw new Error(error.message);`,
    `console.log(data);`,
  ].join('\n');
}

function toPython(request: Request): string {
  const { method, body } = request;
  const { Authorization, ...others } = headersOf(request, 'yes');
  // Requests sends the type of JSON by itself.
  const { 'Content-Type': contentType, ...plain } = others;
  const isJson = contentType === 'application/json';
  const entries = [
    ...(Authorization ? ['"Authorization": f"Bearer {os.environ[\'TOKEN\']}"'] : []),
    ...Object.entries(isJson ? plain : others).map((entry) =>
      entry.map((text) => JSON.stringify(text)).join(': '),
    ),
  ];
  const { url } = addressOf(request);
  return [
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    os.environ["API"] + ${JSON.stringify(url)},`,
    ...(entries.length > 0 ? [`    headers={${entries.join(', ')}},`] : []),
    ...(body === undefined
      ? []
      : [isJson ? `    json=${indent(python(body), 4)},` : `    data=${JSON.stringify(body)}.encode(),`]),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');
}

/** JavaScript, as Prettier would write it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map(literal)
    : Object.entries(value).map(
        ([name, member]) => `${/^\w+$/.test(name) ? name : quoted(name)}: ${literal(member)}`,
      );
  return block(items, isList ? '[]' : '{}', 2);
}

function quoted(text: string): string {
  return text.includes("'")
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`;
}

function python(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map(python)
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${python(member)}`);
  return block(items, isList ? '[]' : '{}', 4);
}

const MAX_LINE = 60;

function block(items: readonly string[], [open, close]: string, width: number): string {
  const line = `${open}${width === 2 && open === '{' && items.length > 0 ? ` ${items.join(', ')} ` : items.join(', ')}${close}`;
  if (line.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${' '.repeat(width)}${indent(item, width)},\n`).join('')}${close}`;
}

/** Indents all lines but the first. */
function indent(text: string, width = 2): string {
  return text.replaceAll('\n', `\n${' '.repeat(width)}`);
}
