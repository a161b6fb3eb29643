import { columnsOf, personal, personColumns } from '../db/tables.ts';

export const contact = { ...personColumns, title: personal<string | null>() };

export type ContactRow = typeof contact;
export const contactColumns = columnsOf(contact);

declare module 'knex/types/tables.js' {
  interface Tables {
    contacts: ContactRow;
  }
}
