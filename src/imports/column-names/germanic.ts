import type { NamesByGroup } from './meanings.ts';

/** Column names in English, German, Dutch and Swedish. */
export const germanicNames: NamesByGroup = {
  English: {
    name: 'Name | Full name | Your name | Contact name | Contact person | Person | Person name | Display name | First and last name | Last name, first name | Name, first name | Name, surname | Surname, name | Name and surname | Name surname | Surname and name',
    'name?':
      'Customer name | Client name | Lead name | Contact | Contacts | Lead | Customer | Client | Prospect | Attendee | Participant | Guest | Attention | Attn',
    'name.first':
      'First name | Firstname | First | Forename | Given name | Christian name | Fname | Name first | Name (First name)',
    'name.middle': 'Middle name | Middle | Middle initial | Additional name | Mname | Name middle',
    'name.last':
      'Last name | Lastname | Last | Surname | Family name | Second name | Lname | Sname | Name last | Name (Last name)',
    'name.prefix':
      'Salutation | Name prefix | Prefix | Honorific | Courtesy title | Form of address | Name title',
    email:
      'Email | Mail | Mail address | Email address | Email ID | Your email | Work email | Business email | Company email | Corporate email | Office email | Personal email | Private email | Home email | Primary email | Main email | Secondary email | Alternative email | Alternate email | Additional email | Other email | Contact email | Customer email | Lead email | Email work | Email home | Email other | Email personal | Email business | Email value | Emails | Email addresses',
    phone:
      'Phone | Phone number | Phone no | Phone numbers | Phones | Telephone | Telephone number | Telephone no | Tel | Tel no | Telno | Your phone | Contact number | Contact no | Contact phone | Mobile | Mobile phone | Mobile phone number | Mobile number | Mobile no | Mob | Cell | Cell phone | Cellphone | Cell number | Cellular | Work phone | Work phone number | Work number | Work direct phone | Work mobile | Business phone | Business number | Company phone | Corporate phone | Office phone | Office number | Direct phone | Direct line | Direct dial | Landline | Home phone | Home number | Personal phone | Private phone | Primary phone | Primary phone number | Main phone | Main number | Secondary phone | Other phone | Other number | Alternative phone | Alternate phone | Additional phone | Customer phone | Lead phone | Phone mobile | Phone work | Phone home | Phone other | Phone office | Phone direct | Phone business | Phone private | Phone value | WhatsApp | WhatsApp number',
    company:
      'Company | Company name | Business | Business name | Firm | Employer | Organization | Organisation | Organization name | Organisation name | Org | Org name | Account | Account name | Company account | Associated company | Current company | Company organization | Company business name | Legal name | Trading name',
    title:
      'Job title | Position | Role | Job | Job position | Job role | Function | Job function | Occupation | Designation | Work title | Professional title | Position title | Current position | Profession',
    'title?': 'Title',
    status:
      'Lead status | Status | Deal status | Opportunity status | Contact status | Lead state | Lead stage | Stage | Deal stage | Opportunity stage | Sales stage | Pipeline stage | Status label',
    source:
      'Source | Lead source | Contact source | Deal source | Opportunity source | Original source | Acquisition source | Origin | Lead origin | Traffic source | How did you hear about us | Where did you hear about us',
    tags: 'Tags | Tag | Labels | Label | Categories | Category | Keywords | Contact tags | Lead tags | Group membership | Segments',
    'value.amount':
      'Amount | Deal amount | Deal value | Lead value | Opportunity amount | Opportunity value | Estimated value | Expected value | Potential value | Contract value | Order value | Deal size | Expected revenue | Potential revenue | Estimated revenue | Value amount',
    'value.amount?': 'Value | Price | Revenue | Total | Sum | Worth',
    'value.currency':
      'Currency | Currency code | Deal currency | Amount currency | Value currency | Currency of value | ISO currency | Currency iso code',
    expected_close_on:
      'Close date | Closing date | Expected close date | Expected closing | Expected closing date | Expected close | Estimated close date | Close on | Expected close on',
    lost_reason:
      'Lost reason | Loss reason | Reason lost | Reason for loss | Closed lost reason | Reason for losing | Why lost | Disqualification reason',
    external_id: 'External ID | Externalid | Ext ID | Foreign ID | Legacy ID | External reference',
    id: 'ID | Record ID | Lead ID | Contact ID | Customer ID | Client ID | Customer number | Customer no | Person ID | Deal ID | Opportunity ID | Account ID | User ID | UUID | GUID | CRM ID | Reference | Record number',
    note: 'Notes | Note | Comment | Comments | Remark | Remarks | Message | Your message | Description | Additional information | Further information | Memo',
    owner:
      'Owner | Lead owner | Contact owner | Deal owner | Account owner | Opportunity owner | Owner email | Owner name | Assigned to | Assignee | Assigned user | Salesperson | Sales person | Sales rep | Sales representative | Account manager | Responsible | Responsible user | Responsible person',
    created:
      'Created | Created at | Created on | Created date | Created time | Creation date | Create date | Create time | Date created | Date added | Added on | Added at | Date registered | Registered at | Signup date | Sign up date | Submitted at | Submitted on | Submission date | Timestamp | Lead created | Deal created',
    other:
      'Fax | Fax number | Business fax | Home fax | Other fax | Pager | Telex | Website | Web site | URL | Web page | Homepage | Domain | Company domain | LinkedIn | LinkedIn URL | LinkedIn profile | Twitter | Facebook | Instagram | Skype | Address | Street | City | Town | State | Region | County | Country | Zip | Zip code | Postal code | Postcode | PO box | Birthday | Date of birth | Anniversary | Gender | Language | Industry | Annual revenue | Employees | Number of employees | Company size | Department | Nickname | Name suffix | Suffix | Initials | Maiden name | Phonetic name | Spouse | Last modified | Modified | Updated | Updated at | Last activity | Last contacted | Email opt out | Email opt in | Email opted out | Email status | Email type | Email label | Email display name | Phone type | Phone label | Do not call | Unsubscribed | IP | IP address | Photo | Rating | Referred by | Manager | Managers name | Assistant | Assistants name | Assistants phone | Assistant phone',
  },
  German: {
    name: 'Vollständiger Name | Vor- und Nachname | Vorname Nachname | Vorname und Nachname | Vorname, Name | Name, Vorname | Nachname, Vorname | Nachname Vorname | Name und Vorname | Ihr Name | Dein Name | Ansprechpartner | Ansprechpartnerin | Ansprechpartner Name | Kontaktperson | Kontaktname | Kundenname | Anzeigename',
    'name?': 'Kontakt | Kontakte | Kunde | Kunden | Interessent | Interessenten | Teilnehmer | Mandant',
    'name.first': 'Vorname | Rufname | Vornamen',
    'name.middle': 'Zweiter Vorname | Zweitname | Mittelname | Weitere Vornamen',
    'name.last': 'Nachname | Familienname | Zuname',
    'name.prefix': 'Anrede | Namenspräfix | Namenszusatz | Akademischer Titel | Briefanrede | Titel Anrede',
    email:
      'E-Mail-Adresse | Mailadresse | E-Mail | Mail | Ihre E-Mail | Ihre E-Mail-Adresse | Deine E-Mail | E-Mail geschäftlich | E-Mail dienstlich | E-Mail privat | Geschäftliche E-Mail | Private E-Mail | Weitere E-Mail | Emailadresse | E-Mail Kontakt',
    phone:
      'Telefon | Telefonnummer | Telefonnr | Tel.-Nr. | Telnr | Rufnummer | Handy | Handynummer | Handynr | Mobil | Mobiltelefon | Mobilnummer | Mobilfunk | Mobilfunknummer | Festnetz | Festnetznummer | Telefon geschäftlich | Telefon dienstlich | Telefon privat | Telefon Büro | Telefon mobil | Mobiltelefon geschäftlich | Durchwahl | Geschäftlich Telefon | Rückrufnummer | Ihre Telefonnummer | Telefon Firma | Telefon Zentrale',
    company:
      'Firma | Firmenname | Unternehmen | Unternehmensname | Organisation | Betrieb | Arbeitgeber | Gesellschaft | Institution | Ihre Firma | Ihr Unternehmen',
    title:
      'Position | Funktion | Beruf | Berufsbezeichnung | Stellenbezeichnung | Stelle | Rolle | Jobtitel | Berufstitel | Tätigkeit | Position im Unternehmen',
    'title?': 'Titel',
    status:
      'Status | Lead-Status | Leadstatus | Phase | Verkaufsphase | Vertriebsphase | Vertriebsstatus | Kontaktstatus | Bearbeitungsstatus',
    source:
      'Quelle | Lead-Quelle | Leadquelle | Herkunft | Kontaktquelle | Ursprung | Leadherkunft | Wie sind Sie auf uns aufmerksam geworden',
    tags: 'Schlagwörter | Schlagworte | Stichwörter | Stichworte | Etiketten | Kategorien | Kategorie | Markierungen',
    'value.amount':
      'Betrag | Auftragswert | Dealwert | Auftragsvolumen | Potenzial | Potential | Geschätzter Wert | Erwarteter Umsatz | Angebotssumme | Auftragssumme | Volumen',
    'value.amount?': 'Wert | Umsatz | Preis | Summe',
    'value.currency': 'Währung | Währungscode | Waehrung',
    expected_close_on:
      'Abschlussdatum | Erwartetes Abschlussdatum | Erwarteter Abschluss | Voraussichtlicher Abschluss | Geplanter Abschluss | Voraussichtliches Abschlussdatum',
    lost_reason: 'Verlustgrund | Grund für Verlust | Absagegrund | Ablehnungsgrund | Grund der Absage',
    external_id: 'Externe ID | Externe Nummer | Fremd-ID | Externe Kennung',
    id: 'Kundennummer | Kundennr | Kunden-Nr. | Kunden-ID | Kontakt-ID | Datensatz-ID | Nummer | Referenz',
    note: 'Notiz | Notizen | Bemerkung | Bemerkungen | Kommentar | Kommentare | Anmerkung | Anmerkungen | Nachricht | Ihre Nachricht | Beschreibung | Mitteilung',
    owner:
      'Besitzer | Inhaber | Zuständig | Zuständiger | Verantwortlich | Verantwortlicher | Bearbeiter | Betreuer | Kundenbetreuer | Vertriebsmitarbeiter | Zugewiesen an | Sachbearbeiter | Lead-Besitzer | Kontaktbesitzer',
    created:
      'Erstellt | Erstellt am | Angelegt am | Erstelldatum | Erstellungsdatum | Anlagedatum | Eingegangen am | Eingangsdatum | Erfasst am | Zeitstempel | Anmeldedatum',
    other:
      'Fax | Faxnummer | Telefax | Webseite | Website | Internet | Internetseite | Adresse | Anschrift | Straße | Hausnummer | PLZ | Postleitzahl | Ort | Stadt | Land | Bundesland | Geburtstag | Geburtsdatum | Geschlecht | Sprache | Branche | Abteilung | Spitzname | Mitarbeiter | Mitarbeiterzahl | Geändert am | Zuletzt geändert | Letzte Änderung | Jahresumsatz | Newsletter',
  },
  Dutch: {
    name: 'Naam | Volledige naam | Voor- en achternaam | Voornaam en achternaam | Achternaam, voornaam | Naam en voornaam | Uw naam | Je naam | Contactpersoon | Naam contactpersoon | Klantnaam | Weergavenaam',
    'name?': 'Contact | Klant | Relatie | Prospect | Deelnemer',
    'name.first': 'Voornaam | Roepnaam | Voornamen',
    'name.middle': 'Tussenvoegsel | Tussenvoegsels | Tweede voornaam | Voorvoegsel achternaam',
    'name.last': 'Achternaam | Familienaam',
    'name.prefix': 'Aanhef | Aanspreektitel | Aanspreekvorm | Voorvoegsel',
    email:
      'E-mailadres | Emailadres | Mailadres | Uw e-mailadres | Je e-mailadres | Zakelijk e-mailadres | E-mail zakelijk | E-mail werk | E-mail privé | Privé e-mail',
    phone:
      'Telefoon | Telefoonnummer | Telefoonnr | Tel.nr. | Mobiel | Mobiele telefoon | Mobiel nummer | Mobiel telefoonnummer | GSM | GSM-nummer | Vaste telefoon | Telefoon werk | Telefoon zakelijk | Telefoon privé | Telefoon thuis | Zakelijk telefoonnummer | Uw telefoonnummer',
    company:
      'Bedrijf | Bedrijfsnaam | Onderneming | Firma | Organisatie | Organisatienaam | Naam organisatie | Naam bedrijf | Werkgever | Account',
    title: 'Functie | Functietitel | Functienaam | Functieomschrijving | Beroep | Rol | Positie',
    'title?': 'Titel',
    status: 'Status | Leadstatus | Fase | Verkoopfase | Stadium | Status lead',
    source: 'Bron | Leadbron | Herkomst | Bron van lead | Oorsprong | Hoe heeft u ons gevonden',
    tags: 'Labels | Trefwoorden | Categorieën | Categorie | Kenmerken',
    'value.amount':
      'Bedrag | Dealwaarde | Verwachte omzet | Geschatte waarde | Orderwaarde | Verwachte opbrengst',
    'value.amount?': 'Waarde | Prijs | Omzet',
    'value.currency': 'Valuta | Munteenheid | Valutacode | Munt',
    expected_close_on:
      'Sluitingsdatum | Verwachte sluitingsdatum | Afsluitdatum | Verwachte afsluitdatum | Verwachte afsluiting | Einddatum deal',
    lost_reason: 'Reden verlies | Verliesreden | Reden van verlies | Reden verloren | Reden afwijzing',
    external_id: 'Extern ID | Externe ID | Externe referentie | Extern nummer',
    id: 'Klantnummer | Klantnr | Klant-ID | Relatienummer | Debiteurnummer | Referentie | Nummer',
    note: 'Notitie | Notities | Opmerking | Opmerkingen | Bericht | Uw bericht | Omschrijving | Beschrijving | Toelichting',
    owner:
      'Eigenaar | Verantwoordelijke | Toegewezen aan | Verkoper | Accountmanager | Behandelaar | Eigenaar contact | Leadeigenaar',
    created:
      'Aangemaakt | Aangemaakt op | Aanmaakdatum | Gemaakt op | Datum aangemaakt | Datum toegevoegd | Toegevoegd op | Tijdstempel | Invoerdatum',
    other:
      'Websitenaam | Webpagina | Adres | Straat | Huisnummer | Postcode | Plaats | Woonplaats | Stad | Land | Provincie | Regio | Geboortedatum | Verjaardag | Geslacht | Taal | Branche | Sector | Afdeling | Bijnaam | Aantal medewerkers | Gewijzigd op | Laatst gewijzigd | KvK-nummer | Btw-nummer',
  },
  Swedish: {
    name: 'Namn | Fullständigt namn | För- och efternamn | Förnamn och efternamn | Efternamn, förnamn | Hela namnet | Ditt namn | Kontaktperson | Kontaktnamn | Kundnamn',
    'name?': 'Kontakt | Kund | Deltagare',
    'name.first': 'Förnamn | Tilltalsnamn',
    'name.middle': 'Mellannamn | Andranamn',
    'name.last': 'Efternamn | Familjenamn',
    'name.prefix': 'Hälsningsfras | Tilltal | Tilltalstitel | Prefix',
    email:
      'E-post | E-postadress | Epost | Mejl | Mejladress | Mailadress | E-post arbete | E-post jobb | E-post privat | Din e-post | Arbetsmejl',
    phone:
      'Telefon | Telefonnummer | Tele | Mobil | Mobilnummer | Mobiltelefon | Mobiltelefonnummer | Telefon arbete | Telefon jobb | Telefon privat | Telefon hem | Arbetstelefon | Fast telefon | Direktnummer | Växel',
    company:
      'Företag | Företagsnamn | Bolag | Bolagsnamn | Organisation | Organisationsnamn | Firma | Arbetsgivare | Verksamhet',
    title: 'Befattning | Yrkestitel | Yrke | Roll | Arbetstitel | Tjänst | Jobbtitel',
    'title?': 'Titel',
    status: 'Status | Leadstatus | Fas | Steg | Säljfas | Kundstatus',
    source: 'Källa | Leadkälla | Ursprung | Kontaktkälla | Hur hittade du oss',
    tags: 'Taggar | Etiketter | Etikett | Kategorier | Kategori | Nyckelord',
    'value.amount': 'Belopp | Affärsvärde | Ordervärde | Förväntad intäkt | Uppskattat värde | Avtalsvärde',
    'value.amount?': 'Värde | Pris | Intäkt',
    'value.currency': 'Valuta | Valutakod',
    expected_close_on:
      'Avslutsdatum | Förväntat avslutsdatum | Stängningsdatum | Förväntat avslut | Beräknat avslut',
    lost_reason: 'Förlustorsak | Orsak till förlust | Anledning till förlust | Förlorad orsak',
    external_id: 'Externt ID | Extern referens | Externt id-nummer',
    id: 'Kundnummer | Kundnr | Kund-ID | Referens',
    note: 'Anteckning | Anteckningar | Kommentar | Kommentarer | Meddelande | Ditt meddelande | Beskrivning | Notering | Noteringar | Övrigt',
    owner:
      'Ägare | Ansvarig | Tilldelad | Tilldelad till | Säljare | Kontaktägare | Handläggare | Kundansvarig',
    created:
      'Skapad | Skapad den | Skapat | Skapandedatum | Skapad datum | Tillagd | Registreringsdatum | Tidsstämpel',
    other:
      'Webbplats | Hemsida | Webbsida | Adress | Gata | Gatuadress | Postnummer | Postort | Ort | Stad | Land | Län | Födelsedatum | Födelsedag | Kön | Språk | Bransch | Avdelning | Antal anställda | Organisationsnummer | Personnummer | Ändrad | Senast ändrad',
  },
};
