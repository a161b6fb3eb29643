import type { Document } from '../http/validation/document.ts';

interface Described {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Parameter extends Described {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
}
interface Operation {
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Described> };
}
type PathItem = Record<string, Operation> & { parameters?: Parameter[] };

/** In the order in which the requests of a path are shown. A PUT creates what a GET finds. */
const methods = ['put', 'get', 'post', 'patch', 'delete'];
const ID = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/;

const introduction = `Enter \`client_id\` and \`client_secret\` under Variables, and send. The first request fetches a token, and \
so does the first one after a token has expired. For the sandbox, let \`base_url\` end in \`/sandbox/v1\`, and enter a \
client of the sandbox.

What you create is used by the requests that follow: "Create a lead" sets \`lead_id\`, for instance.`;

/** Runs before each request. */
const fetchToken = `const needsToken = pm.request.auth?.type !== 'noauth';
const client = pm.variables.replaceIn('{{base_url}} {{client_id}}');
const isFresh = pm.variables.get('token_client') === client && Date.now() < Number(pm.variables.get('token_expires'));
if (needsToken && !isFresh) {
  const body = {
    grant_type: 'client_credentials',
    client_id: pm.variables.get('client_id'),
    client_secret: pm.variables.get('client_secret'),
  };
  pm.sendRequest(
    {
      url: pm.variables.replaceIn('{{base_url}}/auth/token'),
      method: 'POST',
      header: { 'Content-Type': 'application/json' },
      body: { mode: 'raw', raw: JSON.stringify(body) },
    },
    (error, response) => {
      if (error) throw error;
      const { access_token, expires_in, message } = response.json();
      if (response.code !== 200) throw new Error(message);
      pm.collectionVariables.set('access_token', access_token);
      pm.collectionVariables.set('token_client', client);
      pm.collectionVariables.set('token_expires', String(Date.now() + (expires_in - 60) * 1000));
    },
  );
}`;

/**
 * Runs after each request. Keeps what a POST creates: another request deletes what a PUT creates. What a batch creates can be
 * merged into it. From lists, it takes only ids of events, because no request deletes them.
 */
const keepIds = `const { code, headers } = pm.response;
const isJson = headers.get('Content-Type')?.startsWith('application/json');
const answer = code < 300 && isJson ? pm.response.json().data : undefined;
const { id = '', delivery_id, url = '' } = Array.isArray(answer) ? {} : (answer ?? {});
const first = Array.isArray(answer) ? answer[0]?.id : undefined;
const inBatch = Array.isArray(answer) && pm.request.method === 'POST' ? answer.find((each) => each.status === 'created')?.id : undefined;
const kind = id.split('_')[0];
const variable = kind === 'client' ? 'api_client_id' : kind + '_id';
if (kind && pm.request.method === 'POST' && (code === 201 || code === 202)) pm.collectionVariables.set(variable, id);
if (delivery_id) pm.collectionVariables.set('delivery_id', delivery_id);
if (kind === 'hook' && url) pm.collectionVariables.set('hook_token', url.split('/').pop());
if (inBatch) pm.collectionVariables.set('other_' + inBatch.split('_')[0] + '_id', inBatch);
if (first?.startsWith('event_')) pm.collectionVariables.set('event_id', first);`;

/** The document as a collection of Postman's format 2.1: a folder for each tag, with the client's credentials as variables. */
export function toPostmanCollection(document: Document) {
  const { info, servers = [], tags = [], paths = {} } = document;
  const variables: Record<string, string> = {
    base_url: servers[0]?.url ?? '',
    client_id: '',
    client_secret: '',
    access_token: '',
  };
  const all = Object.entries(paths as unknown as Record<string, PathItem>).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
        resolve(document, one),
      );
      const own = { method, path, operation, parameters };
      return [{ tag: operation.tags[0], item: toItem(own, variables) }];
    }),
  );
  // Lets users run a folder from top to bottom.
  const isDeletion = ({ item }: (typeof all)[number]) => item.request.method === 'DELETE';
  const requests = [...all.filter((one) => !isDeletion(one)), ...all.filter(isDeletion)];
  return {
    info: {
      name: info.title,
      description: introduction,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: tags.map(({ name, description = '' }) => ({
      name,
      description,
      item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
    auth: { type: 'oauth2', oauth2: attributes(oauth2) },
    event: [script('prerequest', fetchToken), script('test', keepIds)],
    variable: attributes(variables),
  };
}

const oauth2 = {
  accessToken: '{{access_token}}',
  addTokenTo: 'header',
  headerPrefix: 'Bearer',
  tokenName: 'Lead Pipeline API',
  grant_type: 'client_credentials',
  accessTokenUrl: '{{base_url}}/auth/token',
  clientId: '{{client_id}}',
  clientSecret: '{{client_secret}}',
  client_authentication: 'header',
};

interface Request {
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

/** Adds the path's variables to those of the collection. */
function toItem({ method, path, operation, parameters }: Request, variables: Record<string, string>) {
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const [mediaType, body] = bodies.find(([type]) => type === 'application/json') ?? bodies[0] ?? [];
  const inside = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const query = inside('query').flatMap(keysOf).map(optional);
  const segments = path.slice(1).replaceAll(/{(\w+)}/g, ':$1');
  const enabled = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const contentType = mediaType === undefined ? [] : [{ key: 'Content-Type', value: mediaType }];
  return {
    name: operation.summary,
    request: {
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
      method: method.toUpperCase(),
      header: [...contentType, ...inside('header').map(optional)],
      ...(body && { body: path.endsWith('/merge') ? toMergeBody(body, variables) : toBody(body) }),
      url: {
        raw: `{{base_url}}/${segments}${enabled.length === 0 ? '' : `?${enabled.join('&')}`}`,
        host: ['{{base_url}}'],
        path: segments.split('/'),
        query,
        variable: inside('path').map((parameter) => pathVariable(parameter, variables)),
      },
      description: operation.description ?? '',
    },
    response: [],
  };
}

function toBody(body: Described) {
  const example = exampleOf(body);
  const hasCredentials = typeof example === 'object' && example !== null && 'client_secret' in example;
  const credentials = { client_id: '{{client_id}}', client_secret: '{{client_secret}}' };
  const sent = hasCredentials ? { ...example, ...credentials } : example;
  if (typeof sent === 'string') return { mode: 'raw', raw: sent };
  return { mode: 'raw', raw: JSON.stringify(sent ?? {}, null, 2), options: { raw: { language: 'json' } } };
}

/** Names what a batch has created, since the one in the path can't be merged into itself. */
function toMergeBody(body: Described, variables: Record<string, string>) {
  const fields = Object.entries(exampleOf(body) as Record<string, string>);
  for (const [field, id] of fields) variables[`other_${field}`] ??= id;
  return toBody({ example: Object.fromEntries(fields.map(([field]) => [field, `{{other_${field}}}`])) });
}

/** An object's keys, as in `metadata[plan]`; any other parameter stays as it is. */
function keysOf(parameter: Parameter): Parameter[] {
  const example = exampleOf(parameter);
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return [parameter];
  const keys = Object.entries(example);
  return keys.map(([key, value]) => ({ ...parameter, name: `${parameter.name}[${key}]`, example: value }));
}

function optional({ name, required, description = '', ...described }: Parameter) {
  const example = name === 'Idempotency-Key' ? '{{$guid}}' : exampleOf(described);
  return { key: name, value: String(example ?? ''), description, ...(!required && { disabled: true }) };
}

/**
 * An id becomes a variable named after its kind, shared by all paths. `client_id` is the client that sends the requests.
 * Other variables keep their names, but the token of a hook.
 */
function pathVariable(parameter: Parameter, variables: Record<string, string>) {
  const example = String(exampleOf(parameter) ?? '');
  const [, kind] = ID.exec(example) ?? [];
  const own = kind === 'client' ? 'api_client_id' : `${kind}_id`;
  const other = parameter.name === 'token' ? 'hook_token' : parameter.name;
  const name = kind === undefined ? other : own;
  variables[name] ??= example;
  return { key: parameter.name, value: `{{${name}}}`, description: parameter.description ?? '' };
}

function exampleOf({ example, examples = {} }: Described): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

function attributes(values: Record<string, string>) {
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
}

function script(listen: 'prerequest' | 'test', source: string) {
  return { listen, script: { type: 'text/javascript', exec: source.split('\n') } };
}

function resolve(document: Document, { $ref, ...parameter }: Parameter): Parameter {
  if ($ref === undefined) return parameter;
  const name = $ref.slice('#/components/parameters/'.length);
  return document.components?.parameters?.[name] as unknown as Parameter;
}
