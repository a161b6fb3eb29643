import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { formInput, type Hook, leadsOf, makeHook, sendIn } from '../../support/hooks.ts';
import { linked, parseLinks } from '../../support/lists.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function list(hook: Hook, query = '') {
  const { body, headers } = await client.get(`${hook.path}/deliveries?${query}`).expect(200);
  return { ...body, links: parseLinks(headers.link ?? '') };
}

describe('GET /inbound-hooks/{id}/deliveries', () => {
  it('is empty at first', async () => {
    const { data, meta } = await list(await makeHook(client));
    expect(data).toEqual([]);
    expect(meta).toEqual({
      total: 0,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      next_cursor: null,
      has_more: false,
    });
  });

  it('lists the results, newest first, without the payloads', async () => {
    const hook = await makeHook(client);
    const form = formInput();
    const existing = await createLead(client);
    const sent = [
      await sendIn(app, hook, form),
      await sendIn(app, hook, { name: 'Ada', email: existing.email }),
      await sendIn(app, hook, { name: 'Ada' }),
    ];
    await sendIn(app, hook, form);
    const [lead] = await leadsOf(client, form.email);
    const { data } = await list(hook);
    expect(data.map(({ id }: { id: string }) => id)).toEqual(
      sent.map(({ delivery_id }) => delivery_id).toReversed(),
    );
    const common = {
      hook_id: hook.id,
      warnings: [],
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(data.map(({ id: _id, ...rest }: { id: string }) => rest)).toEqual([
      { ...common, status: 'rejected', lead_id: null, errors: { email: ['email is required.'] } },
      { ...common, status: 'merged', lead_id: existing.id, errors: null },
      { ...common, status: 'created', lead_id: lead?.id, errors: null },
    ]);
  });

  it('filters by status and date', async () => {
    const hook = await makeHook(client);
    await sendIn(app, hook, formInput());
    await sendIn(app, hook, {});
    const total = async (query: string) => (await list(hook, query)).meta.total;
    expect(await total('status=rejected')).toBe(1);
    expect(await total('status=merged,created')).toBe(1);
    expect(await total('status=ignored')).toBe(0);
    expect(await total('created_from=2026-01-01')).toBe(2);
    expect(await total('created_to=2026-01-01')).toBe(0);
  });

  it('can be read page by page, with links to itself', async () => {
    const hook = await makeHook(client);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await sendIn(app, hook, formInput())).delivery_id);
    }
    const first = await list(hook, 'per_page=2');
    expect(linked(first.links.next).pathname).toBe(`/v1${hook.path}/deliveries`);
    const second = await list(hook, `per_page=2&cursor=${first.meta.next_cursor}`);
    const walked = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(walked).toEqual(ids.toReversed());
    expect(first.meta.total).toBe(3);
  });

  it("does not list another hook's deliveries", async () => {
    await sendIn(app, await makeHook(client), formInput());
    expect((await list(await makeHook(client))).meta.total).toBe(0);
  });

  it.each([
    ['status=duplicate', 'status'],
    ['sort=status', 'sort'],
    ['per_page=101', 'per_page'],
  ])('rejects %s by name', async (query, field) => {
    const hook = await makeHook(client);
    const request = client.get(`${hook.path}/deliveries?${query}`);
    await expectRefusal(request, { status: 400, field, code: 'invalid_parameter' });
  });
});
