import { column, columnsOf, personColumns } from '../db/tables.ts';

const contact = { ...personColumns, title: column<string | null>() };

export type ContactRow = typeof contact;
export const contactColumns = columnsOf(contact);

declare module 'knex/types/tables.js' {
  interface Tables {
    contacts: ContactRow;
  }
}
