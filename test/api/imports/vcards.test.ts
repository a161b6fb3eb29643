/** vCards, as phones and address books write them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { errorsOf, type Import, readImport, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');
const uniqueEmail = () => `${randomUUID()}@example.com`;

async function send(file: string | Buffer): Promise<Import> {
  const { body } = await upload(client, file, 'accept_doubts=unused_columns')
    .set('Content-Type', 'text/vcard')
    .expect(202);
  await client.patch(`/imports/${body.data.id}`, { defaults: { source: 'referral' } }).expect(200);
  await runJobs(app.production);
  return readImport(client, body.data.id);
}

async function leadOf(email: string): Promise<Record<string, unknown>> {
  const { body } = await client.get(`/leads?email=${email}`).expect(200);
  return body.data[0];
}

describe('a card', () => {
  it('of version 2.1 may be in quoted-printable, with soft breaks', async () => {
    const email = uniqueEmail();
    const { counts, format } = await send(
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;Dr.;',
        'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen=',
        '=20M=C3=BCller',
        'ORG;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Gr=F6=DFe;Abteilung',
        'TEL;HOME;FAX:+493012346',
        'TEL;CELL:+49 151 12345678',
        `EMAIL;INTERNET:${email}`,
        'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD',
        ' 2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8U',
        '',
      ),
    );
    expect(counts).toMatchObject({ created: 1, failed: 0 });
    expect(format).toBe('vcard');
    expect(await leadOf(email)).toMatchObject({
      name: 'Jürgen Müller',
      company: 'Größe',
      phone: '+4915112345678',
    });
  });

  it('of version 3.0 may have groups, escapes, folded lines and tags', async () => {
    const email = uniqueEmail();
    const { columns } = await send(
      card(
        'VERSION:3.0',
        'N:Example;Ada;;;',
        `item1.EMAIL;type=INTERNET;type=HOME:second-${email}`,
        `item2.EMAIL;type=INTERNET;type=pref:${email}`,
        'item1.X-ABLabel:_$!<HomePage>!$_',
        'ORG:Engines\\, Inc.;',
        'CATEGORIES:vip,friends',
        'NOTE:A\\nB\\; ',
        '  C',
        'FN:Ada Exa',
        ' mple',
      ),
    );
    expect(columns).toEqual(expect.arrayContaining(['Email', 'Email (2)', 'Full name', 'Company', 'Notes']));
    const lead = await leadOf(email);
    expect(lead).toMatchObject({ name: 'Ada Example', company: 'Engines, Inc.', tags: ['vip', 'friends'] });
  });

  it('of version 4.0 may have quoted parameters and URIs', async () => {
    const email = uniqueEmail();
    await send(
      card(
        'VERSION:4.0',
        'FN:Ada',
        'TEL;VALUE=uri;TYPE="voice,cell";X-A="a:b;c":tel:+49-151-12345678',
        `EMAIL;PREF=1:${email}`,
      ),
    );
    expect(await leadOf(email)).toMatchObject({ name: 'Ada', phone: '+4915112345678' });
  });

  it('without FN has the name of its parts', async () => {
    const email = uniqueEmail();
    await send(card('VERSION:3.0', 'N:Example;Ada;;;', `EMAIL:${email}`));
    expect(await leadOf(email)).toMatchObject({ name: 'Ada Example' });
  });

  it('may have a large picture', async () => {
    const email = uniqueEmail();
    const picture = Array.from({ length: 50_000 }, () => ` ${'A'.repeat(72)}`);
    const { counts } = await send(
      card('VERSION:3.0', 'FN:Ada', 'PHOTO;ENCODING=b:', ...picture, `EMAIL:${email}`),
    );
    expect(counts).toMatchObject({ created: 1, failed: 0 });
  });

  it.each<[string, string]>([
    ['is empty', card('VERSION:3.0')],
    ['is too long', card('FN:Ada', ...Array.from({ length: 300 }, () => `NOTE:${'x'.repeat(1_000)}`))],
  ])('that %s fails alone', async (_, wrong) => {
    const good = () => card('FN:Ada', `EMAIL:${uniqueEmail()}`);
    const done = await send(good() + wrong + good());
    expect(done.counts).toMatchObject({ created: 2, failed: 1 });
    expect(await errorsOf(client, done.id)).toMatchObject([{ row: 2, code: 'invalid_file' }]);
  });

  it('may be cut off', async () => {
    const email = uniqueEmail();
    await send(`${card('FN:Bob', `EMAIL:${uniqueEmail()}`)}BEGIN:VCARD\nFN:Ada\nEMAIL:${email}`);
    expect(await leadOf(email)).toMatchObject({ name: 'Ada' });
  });

  it('may be in UTF-16 or windows-1252', async () => {
    for (const encode of [
      (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      (text: string) => Buffer.from(text, 'latin1'),
    ]) {
      const email = uniqueEmail();
      await send(encode(card('VERSION:3.0', 'FN:Jürgen', `EMAIL:${email}`)));
      expect(await leadOf(email)).toMatchObject({ name: 'Jürgen' });
    }
  });
});
