import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { contacts, leads, type TestResource } from './resources.ts';

interface Result {
  index: number;
  status: string;
  id?: string;
  errors?: Record<string, string[]>;
}

interface Subject {
  kind: 'lead' | 'contact';
  resource: TestResource;
  client: TestClient;
  app: TestApp;
  /** Sends a batch that is answered with 200. */
  batch(action: string, body: object): Promise<{ data: Result[]; meta: Record<string, number> }>;
  /** The results without what they show of the resource. */
  statuses(action: string, body: object): Promise<string[]>;
  typesOf(id: string): Promise<string[]>;
  total(): Promise<number>;
}

const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, found: 0, not_found: 0, failed: 0 };
const metaOf = (counts: Record<string, number>) => ({ ...none, ...counts });

/** Runs the tests with leads or contacts, of a service of their own. */
export function describeBatch(
  kind: 'lead' | 'contact',
  action: string,
  tests: (subject: Subject) => void,
): void {
  const resource = (kind === 'lead' ? leads : contacts) as unknown as TestResource;
  const subject = { kind, resource } as Subject;

  beforeAll(async () => {
    const app = await startTestApp();
    const client = await app.client();
    Object.assign(subject, { app, client });
  });

  afterAll(() => subject.app.close());

  subject.batch = async (name, body) => {
    const answer = await subject.client.post(`${resource.path}/batch/${name}`, body).expect(200);
    const { data, meta } = answer.body;
    expect(data.map(({ index }: Result) => index)).toEqual(data.map((_: Result, at: number) => at));
    const counts = Object.groupBy(data as Result[], ({ status }) => status);
    const counted = Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all?.length ?? 0]));
    expect(meta).toEqual(metaOf({ total: data.length, ...counted }));
    return answer.body;
  };
  subject.statuses = async (name, body) => (await subject.batch(name, body)).data.map(({ status }) => status);
  subject.typesOf = async (id) => {
    const { body } = await subject.client.get(`/events?resource_id=${id}`).expect(200);
    return body.data.map(({ type }: { type: string }) => type);
  };
  subject.total = async () => (await subject.client.get(resource.path).expect(200)).body.meta.total;

  describe(`POST ${resource.path}/batch/${action}`, () => {
    tests(subject);

    it('takes what the contract says, and says what is wrong with the rest', async () => {
      const list = ['delete', 'read'].includes(action) ? 'ids' : 'items';
      const post = (body: object) =>
        subject.client.post(`${resource.path}/batch/${action}`, body).expect(422);
      const rest = action === 'upsert' ? { match: 'email' } : {};
      expect((await post({ ...rest, [list]: [] })).body.errors).toEqual({ [list]: ['must not be empty'] });
      const many = Array.from({ length: 1001 }, () => (list === 'ids' ? 'x' : {}));
      const { body } = await post({ ...rest, [list]: many });
      expect(body.errors).toEqual({ [list]: ['must have at most 1000 items'] });
      const { body: unknown } = await post({ ...rest, [list]: ['x'], nonsense: 1 });
      expect(unknown.errors).toHaveProperty('nonsense');
      await post({ ...rest, [list]: 'x' });
    });
  });
}
