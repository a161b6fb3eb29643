/** Batches of leads or contacts. */
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import type { TestResource } from './resources.ts';

interface Result {
  index: number;
  status: string;
  id?: string;
  errors?: Record<string, string[]>;
}

interface Subject {
  path: string;
  client: TestClient;
  app: TestApp;
  /** Sends a batch that is answered with 200. */
  batch(action: string, body: object): Promise<{ data: Result[]; meta: Record<string, number> }>;
  /** The status of each result. */
  statuses(action: string, body: object): Promise<string[]>;
  /** The types of the events about a resource. */
  typesOf(id: string): Promise<string[]>;
  /** How many leads or contacts exist. */
  total(): Promise<number>;
}

const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, found: 0, not_found: 0, failed: 0 };

/** Starts an app for the tests of a file. `app` and `client` are set when its first test runs. */
export function useBatches({ path }: TestResource<unknown>): Subject {
  const subject = { path } as Subject;

  beforeAll(async () => {
    const app = await startTestApp();
    Object.assign(subject, { app, client: await app.client() });
  });

  afterAll(() => subject.app.close());

  subject.batch = async (action, body) => {
    const answer = await subject.client.post(`${path}/batch/${action}`, body).expect(200);
    const results: Result[] = answer.body.data;
    expect(results.map(({ index }) => index)).toEqual([...results.keys()]);
    const meta: Record<string, number> = { ...none, total: results.length };
    for (const { status } of results) meta[status] = (meta[status] ?? 0) + 1;
    expect(answer.body.meta).toEqual(meta);
    return answer.body;
  };
  subject.statuses = async (action, body) => {
    const { data } = await subject.batch(action, body);
    return data.map(({ status }) => status);
  };
  subject.typesOf = async (id) => {
    const { body } = await subject.client.get(`/events?resource_id=${id}`).expect(200);
    return body.data.map(({ type }: { type: string }) => type);
  };
  subject.total = async () => (await subject.client.get(path).expect(200)).body.meta.total;
  return subject;
}

/** Checks the limits of a batch's list. `rest` are the other fields that it needs. */
export async function expectListLimits(
  { path, client }: Subject,
  action: string,
  list: 'items' | 'ids',
  rest: object = {},
): Promise<void> {
  const errorsFor = async (body: object) =>
    (await client.post(`${path}/batch/${action}`, { ...rest, ...body }).expect(422)).body.errors;
  expect(await errorsFor({ [list]: [] })).toEqual({ [list]: [`${list} must not be empty.`] });
  const many = Array.from({ length: 1001 }, () => (list === 'ids' ? 'x' : {}));
  expect(await errorsFor({ [list]: many })).toEqual({ [list]: [`${list} must have at most 1000 items.`] });
  expect(await errorsFor({ [list]: ['x'], nonsense: 1 })).toHaveProperty('nonsense');
  expect(await errorsFor({ [list]: 'x' })).toHaveProperty(list);
}
