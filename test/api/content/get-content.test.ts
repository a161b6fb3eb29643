import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { describeRead } from '../../support/resource-promises.ts';
import { content } from '../../support/resources.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

describe('GET /content/{id}', () => {
  it('answers the content with its body, which lists leave out', async () => {
    const client = await app.client();
    const input = { title: 'Seven Ways', type: 'ebook', body: '# One' };
    const { body: created } = await client.post('/content', input).expect(201);
    const { body } = await client.get(`/content/${created.data.id}`).expect(200).expect('ETag', '"1"');
    expect(body.data).toMatchObject({
      title: 'Seven Ways',
      slug: 'seven-ways',
      type: 'ebook',
      status: 'draft',
      body: '# One',
      published_at: null,
      archived_at: null,
      version: 1,
    });
    const listed = await client.get('/content').expect(200);
    expect(listed.body.data).toHaveLength(1);
    expect(listed.body.data[0]).not.toHaveProperty('body');
  });
});

describeRead(content, () => app);
