/** Sends one request for each operation, with its example, in an order in which later ones find what earlier ones created. */
import { type Endpoint, endpoints, type Parameter, readDocument } from './document.ts';

interface Sent {
  operationId: string;
  status: number;
  body: string;
}

/** Sends a request once more, before it counts, with these headers added. */
type Rehearse = (
  operationId: string,
  send: (headers: Record<string, string>) => Promise<Response>,
) => Promise<void>;

interface Client {
  /** With the base path. */
  url: string;
  credentials: { client_id: string; client_secret: string };
  token: string;
}

/** The PATCH of an external id creates what a GET finds. */
const methods = ['patch', 'get', 'post', 'put', 'delete'];
const ID = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/;

export async function sendEveryOperation(client: Client, rehearse: Rehearse): Promise<Sent[]> {
  const ids = new Map<string, string>();
  const sent: Sent[] = [];
  for (const endpoint of inOrder()) {
    const { operationId, method } = endpoint;
    const send = (headers: Record<string, string>) => request(client, endpoint, ids, headers);
    await rehearse(operationId, send);
    const response = await send({});
    const body = await response.text();
    sent.push({ operationId, status: response.status, body });
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
    if (response.ok && isJson) keepIds(ids, method, response.status, JSON.parse(body).data);
  }
  return sent;
}

/** What a merge needs comes from a batch, a note or a sales cycle needs its lead, and a delivery its hook's token. */
const isLate = (path: string) =>
  /\/merge$|^\/notes|^\/sales-cycles|^\/inbound-hooks\/{id}\/deliveries/.test(path);

/** By tags, whose deletions come last. */
function inOrder(): Endpoint[] {
  const document = readDocument();
  const paths = Object.keys(document.paths);
  const rank = ({ path, method, tags: [tag] }: Endpoint) => [
    document.tags.findIndex(
      ({ name }) => name === (['Notes', 'Sales cycles'].includes(`${tag}`) ? 'Leads' : tag),
    ),
    isLate(path) ? 1 : method === 'delete' ? 2 : 0,
    paths.indexOf(path),
    methods.indexOf(method),
  ];
  return endpoints(document).sort((a, b) => {
    const other = rank(b);
    return rank(a).reduce((order, place, index) => order || place - (other[index] ?? 0), 0);
  });
}

function request(
  { url, credentials, token }: Client,
  { path, method, parameters, requestBody, security }: Endpoint,
  ids: ReadonlyMap<string, string>,
  more: Record<string, string>,
): Promise<Response> {
  const valueFor = (parameter: Parameter) => {
    const example = String(exampleOf(parameter));
    const kind = kindOf(example) ?? parameter.name;
    // Only the later of a lead's two sales cycles can be withdrawn.
    return ids.get(method === 'delete' && kind === 'cycle' ? 'other cycle' : kind) ?? example;
  };
  const filled = path.replaceAll(/{(\w+)}/g, (_, name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(parameter === undefined ? '' : valueFor(parameter));
  });
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = new URLSearchParams(required.map((one): [string, string] => [one.name, valueFor(one)]));
  const bodies = Object.entries(requestBody?.content ?? {});
  const [type, body] = bodies.find(([type]) => type === 'application/json') ?? bodies[0] ?? [];
  return fetch(`${url}${filled}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      ...(security?.length !== 0 && { Authorization: `Bearer ${token}` }),
      ...(type !== undefined && { 'Content-Type': type }),
      ...more,
    },
    ...(body && { body: toBody(exampleOf(body), credentials, idInBody(path, ids)) }),
  });
}

/** What is merged is what a batch created, since the one in the path can't be merged into itself. */
function idInBody(path: string, ids: ReadonlyMap<string, string>): (kind?: string) => string | undefined {
  if (path.endsWith('/merge')) return (kind) => ids.get(`other ${kind}`);
  return (kind = '') => (path === '/notes' ? ids.get(kind) : undefined);
}

function toBody(
  example: unknown,
  credentials: object,
  idOf: (kind: string | undefined) => string | undefined,
): string {
  if (typeof example === 'string') return example;
  const fields = Object.entries(Object(example)).map(([name, value]) => [
    name,
    idOf(kindOf(String(value))) ?? value,
  ]);
  return JSON.stringify({
    ...Object.fromEntries(fields),
    ...('client_secret' in Object(example) && credentials),
  });
}

/** From lists, takes only ids of events, because no request deletes them. */
function keepIds(ids: Map<string, string>, method: string, status: number, data: unknown): void {
  const keep = (id: unknown, prefix = '') => {
    const kind = kindOf(String(id));
    if (kind !== undefined) ids.set(prefix + kind, String(id));
  };
  if (Array.isArray(data)) {
    const [first] = data;
    if (kindOf(first?.id) === 'event') keep(first.id);
    if (method === 'post') keep(data.find((item) => item.status === 'created')?.id, 'other ');
    return;
  }
  const { id, delivery_id, url, sales_cycle } = Object(data);
  if (method === 'post') keep(sales_cycle?.id, sales_cycle?.number === 1 ? '' : 'other ');
  if (method === 'post' && (status === 201 || status === 202)) keep(id);
  keep(delivery_id);
  if (kindOf(String(id)) === 'hook' && url) ids.set('token', String(url).split('/').at(-1) ?? '');
}

function kindOf(id = ''): string | undefined {
  return ID.exec(id)?.[1];
}

function exampleOf({ example, examples = {} }: Pick<Parameter, 'example' | 'examples'>): unknown {
  return example ?? Object.values(examples)[0]?.value;
}
