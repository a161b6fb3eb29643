/** The message of a form becomes a note, and the cases of other systems become leads. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, fullMapping, leadsOf, makeHook, send, sendAndRead, sendIn } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const readCase = (name: string) => readFileSync(new URL(`../../cases/${name}`, import.meta.url));

describe('The cases of other systems', () => {
  it('60: a phone with spaces', async () => {
    const hook = await makeHook(client);
    await send(app, hook, readCase('60-hook-phone-typed.form').toString())
      .type('application/x-www-form-urlencoded')
      .expect(202);
    expect(await leadsOf(client, 'ada-phone@example.com')).toMatchObject([{ phone: '+491511234567' }]);
  });

  it('62: a long message becomes a note', async () => {
    const hook = await makeHook(client);
    const payload = JSON.parse(readCase('62-hook-long-message.json').toString());
    const { status, notes, warnings } = await sendAndRead(app, client, hook, payload);
    expect(status).toBe('created');
    expect(notes).toEqual([payload.message]);
    expect(warnings).toEqual([]);
  });

  it('63: every digit of a number', async () => {
    const hook = await makeHook(client);
    await send(app, hook, readCase('63-hook-big-number.json').toString())
      .type('application/json')
      .expect(202);
    expect(await leadsOf(client, 'ada-big@example.com')).toMatchObject([{ external_id: '9007199254740993' }]);
  });

  it('17, 17b: statuses and sources that are not ours', async () => {
    const hook = await makeHook(client, { mapping: fullMapping });
    for (const name of ['17-lead-status.csv', '17b-lead-source.csv']) {
      const [header = '', ...rows] = readCase(name).toString().trim().split(/\r?\n/);
      const words = rows.map((row) => row.split(',').at(-1) ?? '');
      expect(words.length).toBeGreaterThan(2);
      for (const word of words) {
        const isStatus = header.toLowerCase().includes('status');
        const form = formInput({ [isStatus ? 'status' : 'source']: word });
        const { status, lead, warnings, notes } = await sendAndRead(app, client, hook, form);
        expect(status).toBe('created');
        const kept = [lead?.source_detail, ...Object.values(lead?.metadata ?? {}), ...notes].join('\n');
        const isOurs = [lead?.status, lead?.source].includes(word.trim().toLowerCase() as never);
        if (word.trim() !== '' && !isOurs) {
          expect(kept).toContain(word.trim());
          expect(warnings).not.toEqual([]);
        }
        if (isStatus && !isOurs) expect(lead?.status).toBe('new');
      }
    }
  });

  it('22b: a mapping by JSONPath does not take the company for the name', async () => {
    const payload = JSON.parse(readCase('22b-typeform-silent-shift.json').toString());
    const mapping = {
      name: "$.form_response.answers[?@.type=='text'].text",
      email: "$.form_response.answers[?@.type=='email'].email",
    };
    await sendIn(app, await makeHook(client, { mapping }), payload);
    expect(await leadsOf(client, 'silent1@example.com')).toMatchObject([{ name: 'Ada Example' }]);
  });
});

describe('A message', () => {
  it('that is too long is cut, with a warning', async () => {
    const hook = await makeHook(client);
    const message = `${'x'.repeat(9_990)}${'😀'.repeat(50)}`;
    const { notes, warnings } = await sendAndRead(app, client, hook, formInput({ message }));
    expect(notes).toEqual([`${'x'.repeat(9_990)}${'😀'.repeat(10)}`]);
    expect(warnings).toEqual([{ field: 'note', message: expect.stringContaining('cut off') }]);
  });

  it('leaves room for what was left out', async () => {
    const hook = await makeHook(client);
    const { notes } = await sendAndRead(
      app,
      client,
      hook,
      formInput({ message: 'x'.repeat(20_000), phone: '12 ab' }),
    );
    expect(notes[0]).toMatch(/^x{9000,}\n\nPhone: 12 ab$/);
    expect(notes[0]?.length).toBe(10_000);
  });

  it.each(['\u200b', '\u202e', '---'])('without a visible character makes no note: %j', async (message) => {
    const { notes, status } = await sendAndRead(app, client, await makeHook(client), formInput({ message }));
    expect({ status, notes }).toEqual({ status: 'created', notes: [] });
  });

  it('is joined from parts, with its line breaks', async () => {
    const mapping = {
      name: '/name',
      email: '/email',
      note: { join: ['/subject', '/text', '/none'], with: ': ' },
    };
    const hook = await makeHook(client, { mapping });
    const { notes } = await sendAndRead(
      app,
      client,
      hook,
      formInput({ subject: 'Offer', text: 'One.\n\nTwo.' }),
    );
    expect(notes).toEqual(['Offer: One.\n\nTwo.']);
  });
});
