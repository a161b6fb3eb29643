/** The examples of each operation, sent together and untouched, make a request that is neither a 400 nor a 422. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import type { Document } from '../../src/http/validation/document.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';

interface Example {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Parameter extends Example {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  style?: string;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Example> };
}

let app: TestApp;
let document: Document;

beforeAll(async () => {
  app = await startTestApp();
  document = (await new TestClient(app.url).get('/openapi.json').expect(200)).body;
});

afterAll(() => app.close());

it('every operation accepts its own examples', async () => {
  const client = await app.client(['read', 'write', 'admin']);
  const { id: lead_id } = await createLead(client);
  const authorization = client.headers.Authorization ?? '';
  const sent: string[] = [];
  const refused: string[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const { parameters: shared = [], ...methods } = item as unknown as { parameters?: Parameter[] };
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const own = [...shared, ...(operation.parameters ?? [])].map(resolve);
      const { url, headers } = fill(path, own);
      const [[contentType, media] = []] = Object.entries(operation.requestBody?.content ?? {});
      const example = media && exampleOf(media);
      // A note needs a lead that exists.
      const body = operation.operationId === 'createNote' ? { ...Object(example), lead_id } : example;
      const response = await fetch(`${app.url}/v1${url}`, {
        method: method.toUpperCase(),
        headers: {
          ...headers,
          Authorization: authorization,
          ...(contentType && { 'Content-Type': contentType }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const answer = `${operation.operationId} ${response.status} ${await response.text()}`;
      sent.push(operation.operationId);
      if ([400, 422].includes(response.status) || response.status >= 500) refused.push(answer);
    }
  }
  expect(refused).toEqual([]);
  expect(sent.sort()).toEqual(Object.keys(operations).sort());
});

function fill(path: string, parameters: Parameter[]) {
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, ...described } of parameters) {
    const value = exampleOf(described);
    if (value === undefined) continue;
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === 'header') headers[name] = String(value);
    else if (typeof value !== 'object' || Array.isArray(value)) query.set(name, String(value));
    else for (const [key, text] of Object.entries(value ?? {})) query.set(`${name}[${key}]`, String(text));
  }
  return { url: query.size === 0 ? filled : `${filled}?${query}`, headers };
}

function exampleOf({ example, examples = {} }: Example): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

function resolve(parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : (document.components?.parameters?.[name] as unknown as Parameter);
}
