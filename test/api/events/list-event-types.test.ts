import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { readDocument } from '../../support/document.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('GET /event-types', () => {
  it('describes each type of the contract, with an example of it', async () => {
    const client = await app.client(['events:read']);
    const { body } = await client.get('/event-types').expect(200);
    const types = readDocument().components.schemas.EventType?.enum;
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(types);
    expect(body.meta).toEqual({ total: types?.length });
    const { responses } = readDocument().paths['/event-types']?.get ?? {};
    const [example] = Object.values(responses?.[200]?.content?.['application/json']?.examples ?? {});
    expect(example?.value).toMatchObject({ meta: body.meta });
    for (const { type, description, example } of body.data) {
      expect(description).toMatch(/^[A-Z].+\.$/s);
      expect(example.type).toBe(type);
    }
  });

  it('is the same in the sandbox', async () => {
    const [production, sandbox] = [await app.client(), await app.client(undefined, 'sandbox')];
    const [one, other] = [await production.get('/event-types'), await sandbox.get('/event-types')];
    expect(other.body).toEqual(one.body);
  });
});
