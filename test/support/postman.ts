/** Sends the requests of a Postman collection one after the other, with its scripts, as Postman does. */
import type { toPostmanCollection } from '../../src/pages/postman-collection.ts';

type Collection = ReturnType<typeof toPostmanCollection>;
type Item = Collection['item'][number]['item'][number];

/** Names that Postman defines for scripts, so scripts can't declare them. */
const reserved = [
  'data',
  'environment',
  'globals',
  'iteration',
  'postman',
  'request',
  'responseBody',
  'tests',
];

interface Sent {
  name: string;
  status: number;
  body: string;
}

interface ScriptRequest {
  url: string;
  method: string;
  header: Record<string, string>;
  body: { raw: string };
}

interface ScriptResponse {
  code: number;
  headers: Headers;
  text(): string;
  json(): unknown;
}

/** Sends a request of the collection once more, before it counts, with these headers added. */
type Rehearse = (name: string, send: (headers: Record<string, string>) => Promise<Response>) => Promise<void>;

/** `values` are what a newcomer enters. `rehearse` is called before each request. */
export async function runCollection(
  collection: Collection,
  values: Record<string, string>,
  rehearse: Rehearse = async () => undefined,
): Promise<{ sent: Sent[]; variables: Map<string, string>; tokens: number }> {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(values)) variables.set(key, value);
  const run: Run = { collection, variables, tokens: 0 };
  const sent: Sent[] = [];
  for (const item of collection.item.flatMap((folder) => folder.item))
    sent.push(await send(run, item, rehearse));
  return { sent, variables, tokens: run.tokens };
}

interface Run {
  collection: Collection;
  variables: Map<string, string>;
  /** How many requests scripts have sent themselves. */
  tokens: number;
}

async function send(run: Run, { name, request }: Item, rehearse: Rehearse): Promise<Sent> {
  await runScripts(run, 'prerequest', { auth: request.auth ?? run.collection.auth });
  await rehearse(name, (headers) => fetchItem(run, request, headers));
  const response = await fetchItem(run, request, {});
  const body = await response.text();
  const { auth, method } = request;
  await runScripts(run, 'test', { auth, method }, toScriptResponse(response, body));
  return { name, status: response.status, body };
}

function fetchItem(run: Run, request: Item['request'], more: Record<string, string>): Promise<Response> {
  const fill = filler(run.variables);
  const { url, header, method } = request;
  const path = url.path.map((part) => {
    const variable = url.variable.find(({ key }) => part === `:${key}`);
    return variable === undefined ? part : encodeURIComponent(fill(variable.value));
  });
  const query = url.query.filter(isEnabled).map(({ key, value }): [string, string] => [key, fill(value)]);
  const headers = header.filter(isEnabled).map(({ key, value }): [string, string] => [key, fill(value)]);
  if (request.auth === undefined) headers.push(['Authorization', fill(`Bearer ${accessToken(run)}`)]);
  return fetch(`${fill(url.host.join('.'))}/${path.join('/')}?${new URLSearchParams(query)}`, {
    method,
    headers: [...headers, ...Object.entries(more)],
    ...(request.body && { body: fill(request.body.raw) }),
  });
}

function accessToken({ collection }: Run): string {
  return collection.auth.oauth2.find(({ key }) => key === 'accessToken')?.value ?? '';
}

function isEnabled(parameter: object): boolean {
  return !('disabled' in parameter && parameter.disabled);
}

function filler(variables: ReadonlyMap<string, string>): (text: string) => string {
  return (text) => text.replaceAll(/{{(\w+)}}/g, (whole, name) => variables.get(name) ?? whole);
}

async function runScripts(run: Run, listen: string, request: object, response?: ScriptResponse) {
  const { collection, variables } = run;
  const pending: Promise<unknown>[] = [];
  const pm = {
    request,
    response,
    variables: { get: (name: string) => variables.get(name), replaceIn: filler(variables) },
    collectionVariables: { set: (name: string, value: string) => variables.set(name, value) },
    sendRequest(sent: ScriptRequest, done: (error: unknown, response?: ScriptResponse) => void) {
      run.tokens += 1;
      pending.push(
        fetch(sent.url, { method: sent.method, headers: sent.header, body: sent.body.raw }).then(
          async (answer) => done(null, toScriptResponse(answer, await answer.text())),
        ),
      );
    },
  };
  for (const { script } of collection.event.filter((event) => event.listen === listen)) {
    new Function('pm', ...reserved, script.exec.join('\n'))(pm);
  }
  await Promise.all(pending);
}

function toScriptResponse({ status, headers }: Response, text: string): ScriptResponse {
  return { code: status, headers, text: () => text, json: () => JSON.parse(text) };
}
