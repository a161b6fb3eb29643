import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiClient } from '../../support/api-clients.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['admin']);
});

afterAll(() => app.close());

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe('GET /clients', () => {
  it('lists every client once, by cursor too, the newest first, without secrets', async () => {
    const made: string[] = [];
    for (const name of ['A', 'B', 'C']) made.unshift((await makeApiClient(admin, { name })).id);
    const { body } = await admin.get('/clients').expect(200);
    expect(idsOf(body).slice(0, 3)).toEqual(made);
    expect(body.data[0]).toEqual((await admin.get(`/clients/${made[0]}`)).body.data);
    const walked: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const page = await admin.get(`/clients?per_page=1${cursor && `&cursor=${cursor}`}`).expect(200);
      walked.push(...idsOf(page.body));
      cursor = String(page.body.meta.next_cursor);
    }
    expect(walked).toEqual(idsOf(body));
    expect(body.meta.total).toBe(walked.length);
  });

  it('finds the enabled and the disabled ones', async () => {
    const [enabled, disabled] = [await makeApiClient(admin), await makeApiClient(admin)];
    await admin.post(`/clients/${disabled.id}/disable`).expect(200);
    const ids = async (status: string) => {
      const { body } = await admin.get(`/clients?per_page=100&status=${status}`).expect(200);
      return idsOf(body);
    };
    expect(await ids('enabled')).toContain(enabled.id);
    expect(await ids('disabled')).toEqual([disabled.id]);
  });

  it('sorts by name, and filters by date', async () => {
    await makeApiClient(admin, { name: '000 first' });
    const { body } = await admin.get('/clients?sort=name').expect(200);
    expect(body.data[0].name).toBe('000 first');
    expect((await admin.get('/clients?created_to=2020-01-01').expect(200)).body.meta.total).toBe(0);
  });

  it('is not for clients without the scope admin', async () => {
    await (await app.client(['read', 'write'])).get('/clients').expect(403);
  });
});
