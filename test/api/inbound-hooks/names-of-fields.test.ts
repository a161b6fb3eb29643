/** The default mapping knows the names of columns that imports know, in all their languages. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, type Hook, makeHook, send, sendAndRead } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;
let hook: Hook;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  hook = await makeHook(client);
});

afterAll(() => app.close());

const ADA = { name: 'Ada Lovelace', phone: '+493012345678', company: 'Engines' };

it.each([
  ['Vorname', 'Nachname', 'E-Mail-Adresse', 'Telefon', 'Firma', 'Nachricht'],
  ['Prénom', 'Nom de famille', 'Courriel', 'Téléphone', 'Société', 'Remarques'],
  ['Nombre de pila', 'Apellidos', 'Correo electrónico', 'Teléfono', 'Empresa', 'Mensaje'],
  ['Nome', 'Cognome', 'Indirizzo e-mail', 'Numero di telefono', 'Azienda', 'Messaggio'],
  ['Primeiro nome', 'Sobrenome', 'Endereço de e-mail', 'Telefone', 'Empresa', 'Mensagem'],
  ['Voornaam', 'Achternaam', 'E-mailadres', 'Telefoonnummer', 'Bedrijf', 'Bericht'],
  ['Imię', 'Nazwisko', 'Adres e-mail', 'Numer telefonu', 'Nazwa firmy', 'Uwagi'],
  ['Förnamn', 'Efternamn', 'E-postadress', 'Telefonnummer', 'Företag', 'Meddelande'],
  ['İsim', 'Soyadı', 'E-posta', 'Telefon numarası', 'Şirket', 'Mesaj'],
])('a form has %s, %s, %s, %s, %s and %s', async (first, last, email, phone, company, message) => {
  const address = uniqueEmail();
  const form = {
    [first]: 'Ada',
    [last]: 'Lovelace',
    [email]: address,
    [phone]: ADA.phone,
    [company]: ADA.company,
  };
  const { lead, notes, warnings } = await sendAndRead(app, client, hook, {
    ...form,
    [message]: 'Hello',
  });
  expect(lead).toMatchObject({ ...ADA, email: address });
  expect({ notes, warnings }).toEqual({ notes: ['Hello'], warnings: [] });
});

const person = (email: string) => ({
  nachname: 'Lovelace',
  vorname: 'Ada',
  'e-mail': email,
  telefon: ADA.phone,
});

it.each<[string, (email: string) => object]>([
  ['in an object for a person', (email) => ({ contact: person(email) })],
  ['in objects that wrap the data', (email) => ({ form: { fields: person(email) } })],
  [
    'in a form with brackets',
    (email) => ({
      'form_fields[vorname]': 'Ada',
      'form_fields[nachname]': 'Lovelace',
      'form_fields[mail]': email,
      'fields[telefon]': ADA.phone,
    }),
  ],
  [
    'with labels as names',
    (email) => ({
      'Ihr Vorname': 'Ada',
      'Ihr Nachname': 'Lovelace',
      'Your e-mail': email,
      'Telefon (privat)': ADA.phone,
    }),
  ],
])('names are found %s', async (_, payload) => {
  const email = uniqueEmail();
  const { lead, notes } = await sendAndRead(app, client, hook, payload(email));
  expect(lead).toMatchObject({ name: ADA.name, phone: ADA.phone, email });
  expect(notes).toEqual([]);
});

it("fields about somebody else, unclear names and what isn't a sender's to say become lines of the note", async () => {
  const form = {
    name: 'Ada Lovelace',
    email: uniqueEmail(),
    owner: { email: 'boss@example.com' },
    'manager phone': '+49 30 1111111',
    fax: '+49 30 2222222',
    kontakt: 'by post',
    status: 'won',
    betrag: '5000',
    externe_id: '17',
    product: { name: 'Mill' },
  };
  const { lead, notes } = await sendAndRead(app, client, hook, form);
  expect(lead).toMatchObject({ phone: null, company: null, status: 'new', value: null, external_id: null });
  expect(notes[0]?.split('\n')).toEqual([
    'Owner email: boss@example.com',
    'Manager phone: +49 30 1111111',
    'Fax: +49 30 2222222',
    'Kontakt: by post',
    'Status: won',
    'Betrag: 5000',
    'Externe id: 17',
    'Product name: Mill',
  ]);
});

it('the first of two names for a field wins, and a given field wins over both', async () => {
  const two = { name: 'Ada', email: uniqueEmail(), telefon: ADA.phone, handy: '+49 151 23456789' };
  const first = await sendAndRead(app, client, hook, two);
  expect(first.lead?.phone).toBe(ADA.phone);
  expect(first.notes).toEqual(['Handy: +49 151 23456789']);
  const empty = { name: 'Ada', email: '', 'E-Mail': uniqueEmail(), phone: '', telefon: ADA.phone };
  expect((await sendAndRead(app, client, hook, empty)).lead).toMatchObject({
    email: empty['E-Mail'],
    phone: ADA.phone,
  });
});

it.each([
  [{ name: 'Lovelace', vorname: 'Ada' }, 'Ada Lovelace', []],
  [{ name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace', []],
  [{ nome: 'Ada', cognome: 'Lovelace', prefisso: 'Dr.' }, 'Dr. Ada Lovelace', []],
  [{ name: 'Ada Lovelace', vorname: 'Ada' }, 'Ada Lovelace', []],
  [{ name: 'Ada King', vorname: 'Ada', nachname: 'Lovelace' }, 'Ada King', ['Nachname: Lovelace']],
])('a name beside a part of it: %j', async (fields, name, lines) => {
  const { lead, notes } = await sendAndRead(app, client, hook, { ...fields, email: uniqueEmail() });
  expect({ name: lead?.name, notes }).toEqual({ name, notes: lines });
});

it('an erasure finds a delivery by the address under another name', async () => {
  const email = uniqueEmail();
  const escaped = email.replace('@', '&#64;');
  await send(app, hook, { name: 'Ada', 'e-mail-adresse': escaped }).expect(202);
  const { body } = await (await app.client(['read', 'write', 'admin']))
    .post('/people/lookup', { email })
    .expect(200);
  expect(body.data.inbound_deliveries).toHaveLength(1);
});

it('long names of many fields take no time', async () => {
  const long = 'x '.repeat(200_000);
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'x']));
  const began = process.cpuUsage();
  await send(app, hook, { ...formInput(), [long]: many }).expect(202);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(1_500);
});
