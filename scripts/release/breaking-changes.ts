import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { dereference } from './dereference.ts';
import { type Schema, type Sender, schemaBreaks } from './schema-breaks.ts';

type Document = OpenAPI.Document;
/** A dereferenced parameter, header or media type. */
type Described = { required?: boolean; schema?: Schema };
type Named = Record<string, Described>;
type Parameter = Described & { name: string; in: string; style?: string; explode?: boolean };
interface Operation {
  operationId?: string;
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Named };
  responses?: Record<string, { headers?: Named; content?: Named }>;
  'x-environments'?: string[];
  'x-sunset'?: string;
}
type PathItem = Record<string, Operation> & { parameters?: Parameter[] };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const bothEnvironments = ['production', 'sandbox'];

/**
 * Lists the changes from `before` to `after` that break clients, whether hand-written or generated. A deprecated operation or
 * event type may be removed after its sunset.
 */
export function breakingChanges(before: Document, after: Document, now: Date): string[] {
  const [was, is] = [dereference(before), dereference(after)];
  return [
    ...serverBreaks(was, is),
    ...scopeBreaks(was, is),
    ...operationBreaks(operations(was.paths), operations(is.paths), now, 'client'),
    ...operationBreaks(operations(was.webhooks), operations(is.webhooks), now, 'service'),
  ];
}

function serverBreaks({ servers: was = [] }: Document, { servers: is = [] }: Document): string[] {
  const lost = was.filter(({ url }) => !is.some((server) => server.url === url));
  return lost.map(({ url }) => `The server ${url} is removed`);
}

function scopeBreaks(before: Document, after: Document): string[] {
  const left = scopes(after);
  return scopes(before)
    .filter((scope) => !left.includes(scope))
    .map((scope) => `The ${scope} is removed`);
}

function scopes({ components }: Document): string[] {
  return Object.entries(components?.securitySchemes ?? {}).flatMap(([name, scheme]) => {
    const flows = 'flows' in scheme ? Object.values(scheme.flows) : [];
    const own = flows.flatMap((flow) => Object.keys(flow?.scopes ?? {}));
    return [`security scheme ${name}`, ...own.map((scope) => `scope ${scope} of ${name}`)];
  });
}

/** Each operation by its method and path, or a webhook's by its event type. Includes the path's parameters. */
function operations(paths: Document['paths'] | Document['webhooks'] = {}): Record<string, Operation> {
  const all = Object.entries(paths as Record<string, PathItem>).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const own = item[method];
      if (own === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(own.parameters ?? [])];
      return [[path.startsWith('/') ? `${method.toUpperCase()} ${path}` : path, { ...own, parameters }]];
    }),
  );
  return Object.fromEntries(all);
}

/** `sender`: who sends the request, for webhooks the service. */
function operationBreaks(
  before: Record<string, Operation>,
  after: Record<string, Operation>,
  now: Date,
  sender: Sender,
): string[] {
  return Object.entries(before).flatMap(([at, was]) => {
    const is = after[at];
    if (is === undefined) return isPastSunset(was, now) ? [] : [`${at} is removed`];
    const found = [
      ...identityBreaks(was, is),
      ...securityBreaks(was, is),
      ...(sender === 'client' ? parameterBreaks(was, is) : sentParameterBreaks(was, is)),
      ...requestBodyBreaks(was, is, sender),
      ...(sender === 'client' ? responseBreaks(was, is) : []),
    ];
    return found.map((message) => `${at}: ${message}`);
  });
}

function isPastSunset({ deprecated, 'x-sunset': sunset }: Operation, now: Date): boolean {
  return deprecated === true && sunset !== undefined && new Date(sunset) <= now;
}

function identityBreaks(was: Operation, is: Operation): string[] {
  const { 'x-environments': left = bothEnvironments } = is;
  const lost = (was['x-environments'] ?? bothEnvironments).filter((name) => !left.includes(name));
  const [old, next] = [was['x-sunset'], is['x-sunset']];
  return [
    ...(was.operationId === is.operationId
      ? []
      : [`the operationId is ${is.operationId} now, not ${was.operationId}`]),
    ...lost.map((name) => `the environment ${name} is removed`),
    ...(old && next && new Date(next) < new Date(old)
      ? [`the sunset is ${next} now, earlier than ${old}`]
      : []),
  ];
}

/** Credentials that sufficed must still suffice. */
function securityBreaks({ security: was = [] }: Operation, { security: is = [] }: Operation): string[] {
  if (is.length === 0) return [];
  if (was.length === 0) return ['a credential is required now'];
  const isEnough = (old: Record<string, string[]>) =>
    is.some((next) =>
      Object.entries(next).every(
        ([name, needed]) => needed.every((scope) => old[name]?.includes(scope)) && old[name],
      ),
    );
  return was.filter((old) => !isEnough(old)).map((old) => `${JSON.stringify(old)} is not enough now`);
}

function parameterBreaks({ parameters: was = [] }: Operation, { parameters: is = [] }: Operation): string[] {
  const isNew = (next: Parameter) => find(was, next) === undefined;
  const added = is
    .filter((next) => next.required && isNew(next))
    .map((next) => `${label(next)} is required now`);
  const changed = was.flatMap((old) => {
    const next = find(is, old);
    const at = label(old);
    if (next === undefined) return [`${at} is removed`];
    return [
      ...(next.required && !old.required ? [`${at} is required now`] : []),
      ...(old.style !== next.style || old.explode !== next.explode ? [`${at} has another style`] : []),
      ...describedBreaks(old, next, 'client', at),
    ];
  });
  return [...added, ...changed];
}

function sentParameterBreaks(
  { parameters: was = [] }: Operation,
  { parameters: is = [] }: Operation,
): string[] {
  return was.flatMap((old) => sentBreaks(old, find(is, old), label(old)));
}

function find(parameters: Parameter[], { name, in: place }: Parameter): Parameter | undefined {
  return parameters.find((one) => one.name === name && one.in === place);
}

function label({ name, in: place }: Parameter): string {
  return `the ${place} parameter ${name}`;
}

function requestBodyBreaks(
  { requestBody: was }: Operation,
  { requestBody: is }: Operation,
  sender: Sender,
): string[] {
  const isRequired = sender === 'client' && is?.required && !was?.required;
  return [
    ...(isRequired ? ['the request body is required now'] : []),
    ...contentBreaks(was?.content, is?.content, sender, 'the request body'),
  ];
}

function responseBreaks({ responses: was = {} }: Operation, { responses: is = {} }: Operation): string[] {
  return Object.entries(was).flatMap(([status, { headers = {}, content }]) => {
    const next = is[status];
    if (next === undefined) return [`the status ${status} is removed`];
    return [
      ...Object.entries(headers).flatMap(([name, header]) =>
        sentBreaks(header, next.headers?.[name], `the header ${name} of ${status}`),
      ),
      ...contentBreaks(content, next.content, 'service', `the response ${status}`),
    ];
  });
}

/** The breaks of a header that the service sends. */
function sentBreaks(was: Described, is: Described | undefined, at: string): string[] {
  if (is === undefined) return [`${at} is removed`];
  const isOptional = was.required && !is.required;
  return [...(isOptional ? [`${at} is no longer required`] : []), ...describedBreaks(was, is, 'service', at)];
}

function contentBreaks(was: Named = {}, is: Named = {}, sender: Sender, at: string): string[] {
  return Object.entries(was).flatMap(([mediaType, described]) => {
    const next = is[mediaType];
    if (next === undefined) return [`${at} is no longer ${mediaType}`];
    return describedBreaks(described, next, sender, `${at} (${mediaType})`);
  });
}

function describedBreaks(was: Described, is: Described, sender: Sender, at: string): string[] {
  return schemaBreaks(was.schema ?? {}, is.schema ?? {}, sender).map((message) => `${at}: ${message}`);
}
