/** What publishing, unpublishing and archiving promise alike. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestApp } from './app.ts';
import { content, make } from './resources.ts';

export function describeAction(
  action: string,
  status: string,
  /** The actions that lead to where this one changes something. */
  before: string[],
  app: () => TestApp,
): void {
  async function prepare() {
    const client = await app().client();
    const { id } = await make(client, content);
    for (const step of before) await client.post(`/content/${id}/${step}`).expect(200);
    return { client, path: `/content/${id}/${action}`, version: 1 + before.length };
  }

  describe(`POST /content/{id}/${action}, like every action`, () => {
    it('changes the status and counts the version up', async () => {
      const { client, path, version } = await prepare();
      const { body, headers } = await client.post(path).expect(200);
      expect(body.data).toMatchObject({ status, version: version + 1 });
      expect(headers.etag).toBe(`"${version + 1}"`);
    });

    it('may be repeated: 200, the same version, the same times', async () => {
      const { client, path } = await prepare();
      const first = await client.post(path).expect(200);
      for (let time = 0; time < 3; time += 1) {
        const { body } = await client.post(path).expect(200);
        expect(body).toEqual(first.body);
      }
    });

    it('changes once when ten ask at the same moment', async () => {
      const { client, path, version } = await prepare();
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.post(path)));
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.body.data).toMatchObject({ status, version: version + 1 });
      }
    });

    it('changes nothing at another version', async () => {
      const { client, path, version } = await prepare();
      const { body } = await client
        .with({ 'If-Match': `"${version + 7}"` })
        .post(path)
        .expect(412);
      expect(body.code).toBe('version_mismatch');
      await client
        .with({ 'If-Match': `"${version}"` })
        .post(path)
        .expect(200);
    });

    it('is done once for one Idempotency-Key', async () => {
      const { client, path } = await prepare();
      const keyed = client.with({ 'Idempotency-Key': randomUUID() });
      const first = await keyed.post(path).expect(200);
      await client.post(path.replace(action, before[0] ?? action)).expect(200);
      const second = await keyed.post(path).expect(200).expect('Idempotency-Replayed', 'true');
      expect(second.body).toEqual(first.body);
    });
  });
}
