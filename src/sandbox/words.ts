/** Words of made-up people, companies and content. */
const list = (text: string) => text.split(',').map((word) => word.trim());

export const firstNames = list(`
  Ada, Amara, Anders, Anneli, Arjun, Beatriz, Bruno, Carmen, Chloé, Dmitri, Edith, Elif, Emeka, Farid, Freya, Giulia, Grace,
  Hana, Hedy, Ines, Ivan, Jonas, Juana, Kaito, Katherine, Lars, Leila, Linnea, Louis, Mahmoud, Malala, Marek, Mei, Mila, Nadia,
  Niklas, Noor, Olga, Oscar, Paulo, Priya, Rafael, Rosa, Sanna, Sofía, Tomás, Uma, Viktor, Wanda, Yusuf, Zoe`);

export const lastNames = list(`
  Abe, Almeida, Andersson, Bauer, Bianchi, Castro, Chen, Costa, Dahl, Diallo, Dubois, Eriksen, Fischer, Fontaine, Garcia, Haddad,
  Hansen, Horvat, Ibrahim, Ito, Jansen, Kaya, Keller, Khan, Kovács, Laurent, Lindqvist, Martin, Meyer, Mäkinen, Nguyen, Novak,
  O'Brien, Okafor, Patel, Petrov, Ramos, Rossi, Sato, Schmidt, Silva, Singh, Tanaka, Torres, Vance, Virtanen, Weber, Yilmaz`);

export const trades = list(`
  Analytics, Builders, Catering, Consulting, Design, Energy, Foods, Freight, Instruments, Interiors, Labs, Logistics, Media,
  Optics, Partners, Robotics, Software, Textiles, Travel, Works`);

export const qualities = list(`
  Better, Calm, Clear, Fair, Faster, Fewer, Honest, Lasting, Lighter, Local, Longer, Open, Quiet, Reliable, Safer, Simpler,
  Smarter, Steady`);

export const subjects = list(`
  Backups, Calls, Contracts, Deliveries, Demos, Forecasts, Handovers, Invoices, Meetings, Newsletters, Onboardings, Pipelines,
  Prices, Questions, Reports, Reviews, Trials, Workshops`);

export const audiences = list(`
  Agencies, Architects, Charities, Clinics, Founders, Growing Teams, Hotels, Laboratories, Manufacturers, Museums, Publishers,
  Remote Teams, Schools, Shops, Small Teams, Start-ups, Studios, Workshops`);

export const sentences = [
  'Most teams begin with a spreadsheet, and that is fine.',
  'The first thing to change is who answers, and how soon.',
  'We asked thirty customers what they would not give up again.',
  'A short list that everybody reads beats a long one that nobody does.',
  'Numbers help once the questions are clear.',
  'Write down what you promised, and when.',
  'Start small, look at the results after a month, and go on from there.',
  'What works for a team of three often fails for a team of thirty.',
];
