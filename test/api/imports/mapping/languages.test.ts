/** Column names in ten languages and Japanese. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { csv, importFile, send } from '../../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads cascade'));

/** The columns of a usual file, in this order. */
const fields = [
  'name.last',
  'name.first',
  'email',
  'phone',
  'company',
  'metadata.title',
  'source',
  'value.amount',
  'value.currency',
  'expected_close_on',
  'tags',
  'external_id',
  null,
] as const;

const cells =
  'Example;Ada;ada@example.com;+4915112345678;Engines;CTO;Web;1.250,00;EUR;2027-01-31;a,b;4711;Hello';

describe('columns in', () => {
  it.each([
    [
      'English',
      'Surname;First name;E-mail address;Mobile;Organisation;Job title;Lead source;Amount;Currency;Close date;Tags;External ID;Comments',
    ],
    [
      'German',
      'Nachname;Vorname;E-Mail-Adresse;Telefon;Firma;Position;Quelle;Betrag;Währung;Abschlussdatum;Schlagwörter;Externe ID;Bemerkungen',
    ],
    [
      'French',
      'Nom;Prénom;Adresse e-mail;Téléphone portable;Société;Fonction;Origine;Montant;Devise;Date de clôture;Étiquettes;ID externe;Commentaires',
    ],
    [
      'Spanish',
      'Apellidos;Nombre;Correo electrónico;Teléfono móvil;Empresa;Cargo;Fuente;Importe;Moneda;Fecha de cierre;Etiquetas;ID externo;Comentarios',
    ],
    [
      'Italian',
      'Cognome;Nome;Indirizzo e-mail;Cellulare;Azienda;Ruolo;Fonte;Importo;Valuta;Data di chiusura;Etichette;ID esterno;Commenti',
    ],
    [
      'Portuguese',
      'Sobrenome;Nome;Endereço de e-mail;Celular;Nome da empresa;Cargo;Origem;Montante;Moeda;Data de fechamento;Etiquetas;ID externo;Observações',
    ],
    [
      'Dutch',
      'Achternaam;Voornaam;E-mailadres;Telefoonnummer;Bedrijfsnaam;Functie;Bron;Bedrag;Valuta;Sluitingsdatum;Trefwoorden;Extern ID;Opmerkingen',
    ],
    [
      'Polish',
      'Nazwisko;Imię;Adres e-mail;Numer telefonu;Nazwa firmy;Stanowisko;Źródło;Kwota;Waluta;Data zamknięcia;Etykiety;Zewnętrzne ID;Uwagi',
    ],
    [
      'Swedish',
      'Efternamn;Förnamn;E-postadress;Mobilnummer;Företag;Befattning;Källa;Belopp;Valuta;Avslutsdatum;Etiketter;Externt ID;Kommentarer',
    ],
    [
      'Turkish',
      'Soyadı;Adı;E-posta adresi;Cep Telefonu;Şirket adı;Unvan;Kaynak;Tutar;Para birimi;Kapanış tarihi;Etiketler;Harici ID;Notlar',
    ],
    [
      'Japanese',
      '姓;名;メールアドレス;電話番号;会社名;役職;リードソース;金額;通貨;完了予定日;タグ;外部ID;備考',
    ],
  ])('%s are mapped, and only the message is a doubt', async (_language, header) => {
    for (const names of [header, header.toUpperCase()]) {
      const { mapping, doubts } = await send(client, csv(names, cells), 'start=false');
      const columns = names.split(';');
      expect(mapping).toEqual(Object.fromEntries(columns.map((name, index) => [name, fields[index]])));
      expect(doubts).toMatchObject([{ code: 'unused_columns', column: columns.at(-1) }]);
    }
    await importFile(app, client, csv(header, cells), 'accept_doubts=unused_columns');
    const { body } = await client.get('/leads').expect(200);
    expect(body.data).toMatchObject([
      {
        name: 'Ada Example',
        email: 'ada@example.com',
        phone: '+4915112345678',
        company: 'Engines',
        metadata: { title: 'CTO' },
        source: 'website',
        value: { amount: '1250.00', currency: 'EUR' },
        expected_close_on: '2027-01-31',
        tags: ['a', 'b'],
        external_id: '4711',
      },
    ]);
  });

  it.each([
    ['Name', 'Your name'],
    ['Vollständiger Name', 'Ansprechpartner'],
    ['Nom complet', 'Nom et prénom'],
    ['Nombre completo', 'Nombre y apellidos'],
    ['Nome e cognome', 'Nominativo'],
    ['Nome completo', 'Nome do contato'],
    ['Naam', 'Contactpersoon'],
    ['Imię i nazwisko', 'Osoba kontaktowa'],
    ['Fullständigt namn', 'Kontaktperson'],
    ['Ad Soyad', 'İsim Soyisim'],
    ['氏名', 'お名前'],
  ])('%s and %s are whole names', async (...names) => {
    for (const name of names) {
      const file = csv(`${name};Email`, 'Ada Example;ada@example.com');
      const { mapping, doubts } = await send(client, file, 'start=false');
      expect([mapping, doubts]).toEqual([{ [name]: 'name', Email: 'email' }, []]);
    }
  });
});
