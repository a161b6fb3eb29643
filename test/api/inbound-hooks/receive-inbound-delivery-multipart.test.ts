/** multipart/form-data, as browsers and form platforms send it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { type Hook, leadsOf, makeHook, readDelivery } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;
let hook: Hook;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  hook = await makeHook(client);
});

afterAll(() => app.close());

interface Answer {
  status: number;
  body: { data: { status: string; delivery_id: string }; code: string; message: string };
}

async function post(body: FormData | Buffer<ArrayBuffer>, type?: string): Promise<Answer> {
  const headers = type === undefined ? undefined : { 'Content-Type': type };
  const answer = await fetch(`${app.url}/v1/hooks/${hook.token}`, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

/** A part's headers and value as bytes: one character is one byte. */
type Part = [disposition: string, value: string, type?: string];

function multipart(parts: readonly Part[], { boundary = 'xyz', end = '--' } = {}): Buffer<ArrayBuffer> {
  const texts = parts.map(([disposition, value, type]) => {
    const headers = [
      `Content-Disposition: form-data; ${disposition}`,
      ...(type ? [`Content-Type: ${type}`] : []),
    ];
    return `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${texts.join('')}--${boundary}${end}\r\n`, 'latin1');
}

const TYPE = 'multipart/form-data; boundary=xyz';

describe('multipart/form-data', () => {
  it('gives a lead, from the form that a browser makes', async () => {
    const email = uniqueEmail();
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Jürgen', email, company: '' }))
      form.append(name, value);
    form.append('interests', 'a');
    form.append('interests', 'b');
    form.append('cv', new Blob(['%PDF']), 'größe.pdf');
    form.append('photo', new Blob([]), '');
    const { status, body } = await post(form);
    expect({ status, outcome: body.data.status }).toEqual({ status: 202, outcome: 'created' });
    expect(await leadsOf(client, email)).toMatchObject([{ name: 'Jürgen', company: null }]);
    const { payload, warnings } = await readDelivery(client, hook, body.data.delivery_id);
    expect(payload).toEqual({ name: 'Jürgen', email, interests: ['a', 'b'] });
    const message = 'The file größe.pdf was left out: an inbound hook keeps only texts.';
    const unmapped = 'The mapping has no field for this, so the note has it.';
    expect(warnings).toEqual([
      { field: 'cv', message },
      { field: 'interests', message: unmapped },
    ]);
    // A browser sends another boundary each time.
    expect((await post(form)).body.data.status).toBe('duplicate');
  });

  it.each<[string, Part, string?]>([
    ['windows-1252', ['name="name"', 'J\xFCrgen']],
    ['UTF-8', ['name="name"', 'J\xC3\xBCrgen']],
    ["a part's charset", ['name="name"', 'J\xFCrgen', 'text/plain; charset=iso-8859-1']],
    ["a part's wrong charset", ['name="name"', 'J\xFCrgen', 'text/plain; charset=UTF-8']],
    ['an unquoted name', ['name=name', 'J\xC3\xBCrgen']],
    ["the Content-Type's charset", ['name="name"', 'J\xFCrgen'], `${TYPE}; charset=iso-8859-15`],
    ['a quoted boundary', ['name="name"', 'J\xFCrgen'], 'multipart/form-data; boundary="xyz"'],
  ])('is read in %s', async (_title, part, type = TYPE) => {
    const email = uniqueEmail();
    const { status } = await post(multipart([part, ['name="email"', email]]), type);
    expect(status).toBe(202);
    expect(await leadsOf(client, email)).toMatchObject([{ name: 'Jürgen' }]);
  });

  const MIB = 1024 * 1024;

  it('may have files of some mebibytes, of which nothing is kept', async () => {
    const email = uniqueEmail();
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Jürgen', email, json: '{"n":9007199254740993}' })) {
      form.append(name, value);
    }
    form.append('photo', new Blob(['x'.repeat(7 * MIB)]), 'photo.jpg');
    const { status, body } = await post(form);
    expect(status).toBe(202);
    expect(await leadsOf(client, email)).toMatchObject([{ name: 'Jürgen' }]);
    const { text } = await client.get(`${hook.path}/deliveries/${body.data.delivery_id}`).expect(200);
    expect(text).toContain(`{"name":"Jürgen","email":"${email}","json":{"n":9007199254740993}}`);
    expect(text).toContain('The file photo.jpg was left out');
    const { rows } = await app.production.knex.raw(
      'select max(payload_bytes) as most from inbound_deliveries',
    );
    expect(rows[0].most).toBeLessThan(10_000);
    expect((await post(form)).body.data.status).toBe('duplicate');
    await client.post(`${hook.path}/deliveries/${body.data.delivery_id}/reprocess`).expect(200);
  });

  it.each([
    [
      'text',
      new Blob(['x'.repeat(MIB)]),
      'x'.repeat(MIB),
      'Without its files, the form must not be larger than 1024 KiB.',
    ],
    ['files', new Blob(['x'.repeat(9 * MIB)]), 'x', 'The body must not be larger than 8192 KiB.'],
  ])('with too much of %s is refused', async (_what, file, text, message) => {
    const form = new FormData();
    form.append('text', text);
    form.append('photo', file, 'photo.jpg');
    const { status, body } = await post(form);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 413,
      code: 'body_too_large',
      message,
    });
  });

  it('is read with a file name in windows-1252', async () => {
    const email = uniqueEmail();
    const file: Part = ['name="cv"; filename="Gr\xF6\xDFe.pdf"', 'x', 'application/pdf'];
    const parts: Part[] = [['name="name"', 'Ada'], ['name="email"', email], file];
    expect((await post(multipart(parts), TYPE)).status).toBe(202);
    expect(await leadsOf(client, email)).toMatchObject([{ name: 'Ada' }]);
  });

  it.each([
    ['without an end', multipart([['name="name"', 'Ada']], { end: '' }), TYPE],
    ['without a boundary', multipart([['name="name"', 'Ada']]), 'multipart/form-data'],
    ['with another boundary', multipart([['name="name"', 'Ada']]), 'multipart/form-data; boundary=abc'],
    ['with a flood of headers', multipart([[`name="name"${'; a=b'.repeat(2_000)}`, 'Ada']]), TYPE],
    ['that ends in a header', Buffer.from('--xyz\r\nContent-Disposition: form-data'), TYPE],
  ])('%s is refused', async (_title, bytes, type) => {
    const { status, body } = await post(bytes, type);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_json' });
    expect(body.message).toBe('The body is not valid multipart/form-data, or it is incomplete.');
  });

  it('with too many parts is refused', async () => {
    const parts = Array.from({ length: 10_001 }, (): Part => ['name="a"', '']);
    const { status, body } = await post(multipart(parts), TYPE);
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'The body must not have more than 10000 values.',
    });
  });
});
