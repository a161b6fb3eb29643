/** How values are written in a query. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../generated/operations.ts';
import { basePaths } from '../../../src/environment.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, readDocument } from '../../support/document.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

/** Every numeric query parameter, with a URL that accepts it. */
const numbers = endpoints(readDocument()).flatMap(({ at, path, operationId, parameters }) =>
  parameters
    .filter((parameter) => parameter.in === 'query' && /integer|number/.test(String(parameter.schema?.type)))
    .map(({ name, schema }) => ({ at, path, operationId, name, type: schema?.type })),
);

describe('a number in a query', () => {
  it('is an integer wherever the document has one', () => {
    expect(new Set(numbers.map(({ name }) => name))).toEqual(new Set(['page', 'per_page', 'wait', 'months']));
    expect(new Set(numbers.map(({ type }) => type))).toEqual(new Set(['integer']));
  });

  it.each(numbers)('is written in decimal digits: $name of $at', async ({ path, operationId, name }) => {
    const [only = 'production'] = operations[operationId as keyof typeof operations].environments;
    const as = client.at(app.url + basePaths[only]);
    const address = path.replaceAll(/{\w+}/g, 'lead_01h455vb4pex5vsknk084sn02q');
    // biome-ignore format: a list of short things
    for (const text of ['1e3', '+1', '1+', '1E0', '0x10', '0b1', '0o7', '%2B1', '-1', '1.0', '1.', '.5', '%201', '1%20', '1%09', '1_0', '1,0', '%EF%BC%91', '%D9%A1', 'NaN', 'Infinity', 'true', '1n', '--1']) {
      const { body } = await as.get(`${address}?${name}=${text}`).expect(400);
      expect(body.code, text).toBe('invalid_parameter');
      expect(body.errors, text).toEqual({ [name]: [`${name} must be a whole number in decimal digits, such as 20.`] });
    }
    const { body } = await as.get(`${address}?${name}=${'9'.repeat(400)}`).expect(400);
    expect(body.errors).toEqual({ [name]: [`${name} is too large.`] });
  });

  it('may have leading zeros, which change nothing', async () => {
    const { body } = await client.get('/leads?page=007&per_page=010').expect(200);
    expect(body.meta).toMatchObject({ current_page: 7, per_page: 10 });
  });

  it('is told its bounds', async () => {
    const { body } = await client.get('/leads?page=0&per_page=101').expect(400);
    expect(body.errors).toEqual({
      page: ['page must be at least 1.'],
      per_page: ['per_page must be at most 100.'],
    });
  });
});

const malformed =
  'has a malformed percent-encoding; write each byte of UTF-8 as %XX, and a percent sign as %25';

describe('a percent-encoding in a query', () => {
  it.each([
    '%ZZ',
    '%',
    '%2',
    'a%',
    '100%25%',
    '%E0%A4%A',
    '%E0%A4',
    '%ff',
    '%C0%AF',
    '%ED%A0%80',
    '%u0041',
    '%%32',
  ])('is refused where it is malformed: %s', async (text) => {
    const { body } = await client.get(`/leads?page=1&search=${text}`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', message: `search ${malformed}.` });
    expect(body.errors).toEqual({ search: [`search ${malformed}.`] });
  });

  it('is refused in the name of a parameter and in an unknown one', async () => {
    expect((await client.get('/leads?%ZZ=1').expect(400)).body.errors).toEqual({
      '%ZZ': [`%ZZ ${malformed}.`],
    });
    expect((await client.get('/leads?x=%ZZ').expect(400)).body.errors).toEqual({ x: [`x ${malformed}.`] });
    expect((await client.get('/leads?sea%72ch=%').expect(400)).body.errors).toEqual({
      search: [`search ${malformed}.`],
    });
  });

  it('is refused on every operation, whether it reads or writes', async () => {
    const { id } = await createLead(client);
    for (const answer of [
      await client.get('/analytics/summary?timezone=Europe%2FBerlin%'),
      await client.get('/events?cursor=%ZZ'),
      await client.patch(`/leads/${id}?a=%ZZ`, { name: 'B' }),
      await client.delete(`/leads/${id}?a=%ZZ`),
    ]) {
      expect(answer.status).toBe(400);
      expect(Object.values(answer.body.errors)).toEqual([[expect.stringContaining(malformed)]]);
    }
    await client.get(`/leads/${id}`).expect(200);
  });

  it('means what it says where it is well-formed', async () => {
    const lead = await createLead(client, { external_id: '100 % é+ü/?&=' });
    const { body } = await client
      .get(`/leads?external_id=${encodeURIComponent('100 % é+ü/?&=')}`)
      .expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([lead.id]);
  });
});

describe('a list in a query', () => {
  const lists = endpoints(readDocument()).flatMap(({ at, path, operationId, parameters }) =>
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.schema?.type === 'array')
      .map(({ name, example }) => ({ at, path, operationId, name, value: String([example].flat()[0]) })),
  );

  it('is found in several operations', () => expect(lists.length).toBeGreaterThan(10));

  it.each(lists)('may have brackets: $name of $at', async ({ path, name, value }) => {
    const address = path.replaceAll(/{\w+}/g, (await createLead(client)).id);
    const ask = (query: string) => client.get(`${address}?${query}`);
    const plain = await ask(`${name}=${encodeURIComponent(value)}`);
    for (const spelling of [`${name}[]`, `${name}[0]`, `${name}[12]`, `${name}%5B%5D`]) {
      const { status, headers } = await ask(`${spelling}=${encodeURIComponent(value)}`);
      expect([status, headers.link]).toEqual([plain.status, plain.headers.link]);
    }
    for (const spelling of [
      `${name}[x]`,
      `${name}[`,
      `${name}]`,
      `${name}[][]`,
      `${name}[-1]`,
      `${name}[99999]`,
    ]) {
      const { body } = await ask(`${spelling}=x`).expect(400);
      expect(body.errors).toHaveProperty([spelling]);
    }
  });

  it('has each of its values, however they are written', async () => {
    const own = await app.client();
    const tag = `t${Date.now()}`;
    for (const status of ['new', 'contacted', 'won'] as const) await createLead(own, { status, tags: [tag] });
    const total = async (query: string) =>
      (await own.get(`/leads?tag=${tag}&${query}`).expect(200)).body.meta.total;
    expect(await total('status[]=new&status[]=won')).toBe(2);
    expect(await total('status[0]=new&status[1]=won')).toBe(2);
    expect(await total('status=new&status[]=won&status[1]=contacted')).toBe(3);
    expect(await total('status[]=new,won')).toBe(await total('status=new,won'));
  });
});

describe('a boolean in a query', () => {
  it.each(['true', 'True', 'TRUE'])('is true as %s', async (text) => {
    const { body } = await client.get(`/users?active=${text}`).expect(200);
    expect(body).toEqual((await client.get('/users?active=true').expect(200)).body);
  });

  it.each(['false', 'False', 'FALSE'])('is false as %s', async (text) => {
    await client.get(`/users?active=${text}`).expect(200);
  });

  it.each(['1', '0', 'yes', 'on', 'null', 'truе', 'true,true'])('is not %s', async (text) => {
    await client.get(`/users?active=${encodeURIComponent(text)}`).expect(400);
  });
});
