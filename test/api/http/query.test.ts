/** What every query parameter accepts, and how its errors are reported. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiClient } from '../../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, type Parameter, readDocument } from '../../support/document.ts';
import { createLead } from '../../support/factories.ts';
import { send as sendFile } from '../../support/imports.ts';
import { contacts, content, make } from '../../support/resources.ts';

/** Ajv's wording. */
const validatorsWords =
  /url encoded|reserved|NOT|allowed values|[<>]=|must match|query parameter|be (string|integer|boolean|array|object)/;

const parameters = endpoints(readDocument())
  // Only together, and with a hook's token, have these a meaning: answer-hook-challenge.test.ts tries them.
  .filter(({ operationId }) => operationId !== 'answerHookChallenge')
  .filter(({ method, parameters: all }) => method === 'get' && all.some((one) => one.in === 'query'))
  .flatMap(({ path, parameters: all }) =>
    all
      .filter((one) => one.in === 'query')
      .map((parameter): [string, string, Parameter] => [parameter.name, path, parameter]),
  );

let app: TestApp;
let client: TestClient;
/** Of one of each kind, by the paths below it. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
  const lead = await createLead(client, { external_id: 'crm-4711' });
  ids.leads = lead.id;
  ids['sales-cycles'] = lead.sales_cycle.id;
  ids.contacts = (await make(client, contacts, { external_id: 'crm-4711' })).id;
  const note = await client.post('/notes', { lead_id: lead.id, text: 'Called back.' }).expect(201);
  ids.notes = note.body.data.id;
  ids.content = (await make(client, content)).id;
  const webhook = { url: 'https://example.com/hooks', event_types: ['*'] };
  ids.webhooks = (await client.post('/webhooks', webhook).expect(201)).body.data.id;
  ids['bulk-jobs'] = (
    await createJob(client, { resource: 'leads', filter: { tag: ['nobody'] }, action: { delete: true } })
  ).id;
  ids.imports = (await sendFile(client, 'name,email\nAda,ada@example.com\n', 'start=false')).id;
  ids.clients = (await makeApiClient(client)).id;
  ids['inbound-hooks'] = (await client.post('/inbound-hooks', { name: 'Form' }).expect(201)).body.data.id;
});

afterAll(() => app.close());

async function ask(path: string, query: string) {
  const [, kind = ''] = path.split('/');
  const placed = path.replace('{id}', ids[kind] ?? '').replace('{external_id}', 'crm-4711');
  const { status, body } = await client.get(`${placed}?${query}`);
  const { request_id: _id, meta, ...rest } = body;
  const told = Object.values((body.errors ?? {}) as Record<string, string[]>).flat();
  return { status, body: { ...rest, meta: { ...meta, generated_at: undefined } }, told };
}

/** A 400 must name this parameter and no other. */
function expectTakenOrNamed({ status, body }: Awaited<ReturnType<typeof ask>>, name: string): void {
  if (status === 200) return;
  expect([status, Object.keys(body.errors)], JSON.stringify(body)).toEqual([400, [name]]);
}

const characters = [
  ...':/?[]@!$\'()*;="\\\\<>{}|^`~',
  ...['%20', '%23', '%26', '%2C', '%F0%9F%8E%89', '%E2%80%8F'],
];
const words = ['', '0', '-1', '1.5', 'true', 'x', '9'.repeat(20), 'a'.repeat(3_000), 'a,'.repeat(60)];

/** Only the first parameter with the same name and schema is tried with each character alone. */
const seen = new Set<string>();

function valuesOf({ name, schema }: Parameter): string[] {
  const rule = JSON.stringify([name, schema]);
  const texts = seen.has(rule) ? [characters.join('')] : characters;
  seen.add(rule);
  return [...texts.map((text) => `a${text}b`), ...words];
}

describe.each(parameters)('%s of %s', (name, path, parameter) => {
  const { schema } = parameter;
  const values = valuesOf(parameter);

  it('reads + and %20 as a space, and %2B as a plus', async () => {
    const send = (value: string) => ask(path, `${name}=${value}`);
    const [plus, space, sign] = await Promise.all([send('crm+4711'), send('crm%204711'), send('crm%2B4711')]);
    expect(plus).toEqual(space);
    expectTakenOrNamed(sign, name);
  });

  it('accepts a value, or explains in plain words what is wrong with it', async () => {
    // One after the other, because a client runs only a few exports at a time.
    for (const value of values) {
      const answer = await ask(path, `${name}=${value}`);
      expectTakenOrNamed(answer, name);
      for (const message of answer.told) expect(message, value).not.toMatch(validatorsWords);
    }
  });

  it('counts as absent if it is empty, as forms and generated clients send it', async () => {
    expect(await ask(path, `${name}=`)).toEqual(await ask(path, ''));
  });

  it('is given once, unless it is a list', async () => {
    const written = schema.type === 'object' ? `${name}[key]` : name;
    const answer = await ask(path, `${written}=1&${written}=2`);
    if (schema.type === 'array') expectTakenOrNamed(answer, name);
    else expect([answer.status, answer.told]).toEqual([400, [`${written} must be given only once.`]]);
  });
});

describe('an empty parameter', () => {
  it('is left out beside others, in any spelling, but must be known', async () => {
    const { body } = await client
      .get('/leads?per_page=&per_page=1&status[]=&status=&search=&metadata=')
      .expect(200);
    expect(body.meta.per_page).toBe(1);
    const { errors } = (await client.get('/leads?colour=').expect(400)).body;
    expect(errors).toEqual({ colour: ['colour is not a parameter of this operation.'] });
  });
});

describe('a space in a query', () => {
  it.each(['+', '%20'])('finds values with a space, written %s', async (space) => {
    const lead = await createLead(client, { external_id: `crm ${space}`, tags: ['very important'] });
    const found = async (query: string) => (await client.get(`/leads?${query}`).expect(200)).body.data;
    expect(await found(`external_id=crm${space}${encodeURIComponent(space)}`)).toEqual([lead]);
    expect(await found(`tag=very${space}important&sort=-created_at&per_page=1`)).toEqual([lead]);
    expect(await found(`search=ada${space}lovelace&per_page=1&sort=-created_at`)).toEqual([lead]);
    expect(await found(`external_id=crm%2B${encodeURIComponent(space)}`)).toEqual([]);
  });

  it('is not meant by %2B', async () => {
    const lead = await createLead(client, { email: 'ada+tag@example.com', external_id: 'a+b' });
    const { body } = await client.get('/leads?email=ada%2Btag@example.com&external_id=a%2Bb').expect(200);
    expect(body.data).toEqual([lead]);
    await client.get('/leads?created_to=2026-11-20T09:30:00%2B01:00').expect(200);
    const refused = await client.get('/leads?created_to=2026-11-20T09:30:00+01:00').expect(400);
    expect(refused.body.errors.created_to).toEqual([expect.stringContaining('%2B')]);
  });

  it('is refused where the value has no place for one', async () => {
    await make(client, content, { slug: 'seven-ways' });
    const { body } = await client.get('/content?slug=seven+ways').expect(200);
    expect(body.data).toEqual([]);
    const refused = await client.get('/leads?status=new+lead').expect(400);
    expect(refused.body.errors).toEqual({
      status: ['status must be one of new, contacted, qualified, won, lost.'],
    });
  });
});

describe('the window of a report', () => {
  it.each([
    ['from', 'from=1969-12-31&to=1970-01-01'],
    ['to', 'to=1969-12-31'],
    ['to', 'from=9998-12-31&to=9999-01-01'],
    ['from', 'from=9999-01-01&to=9998-12-31'],
  ])('is limited, and the error of %s in %s names the limits', async (name, query) => {
    const { status, body } = await ask('/analytics/summary', query);
    expect([status, body.errors]).toEqual([
      400,
      { [name]: [`${name} must be from 1970-01-01 to 9998-12-31.`] },
    ]);
    const documented = parameters.find(([one, path]) => one === name && path === '/analytics/summary');
    expect(documented?.[2].description).toContain('from 1970-01-01 to 9998-12-31');
  });

  it.each([
    'from=1970-01-01&to=1970-01-01',
    'to=1970-01-02',
    'from=9998-12-31&to=9998-12-31',
    'from=1970-01-01&to=1970-01-02&timezone=Pacific/Kiritimati',
    'from=9998-12-31&to=9998-12-31&timezone=Pacific/Pago_Pago',
  ])('may be %s', async (query) => {
    for (const report of ['summary', 'timeseries', 'funnel', 'time-in-status']) {
      await client.get(`/analytics/${report}?${query}`).expect(200);
    }
  });
});
