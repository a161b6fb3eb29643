import type { Table } from '../table.ts';
import type { Property } from './property.ts';

/** Pictures, sounds, keys, and what says how the card itself is written. */
const IGNORED =
  /^(?:PHOTO|LOGO|SOUND|KEY|AGENT|VERSION|PRODID|REV|SOURCE|KIND|XML|CLIENTPIDMAP|X-AB.*|X-IMAGE.*)$/;

const NAMES: Readonly<Record<string, string>> = {
  FN: 'Full name',
  EMAIL: 'Email',
  TITLE: 'Job title',
  CATEGORIES: 'Tags',
  NOTE: 'Notes',
  URL: 'Website',
  BDAY: 'Birthday',
  ADR: 'Address',
  NICKNAME: 'Nickname',
  ROLE: 'Role',
  UID: 'UID',
};

const PARTS_OF_NAME = ['Last name', 'First name', 'Middle name', 'Name prefix', 'Name suffix'];
/** The most cells that a card has of the same kind. */
const MAX_SAME = 20;

/** The columns that cards fill: `Email`, `Email (2)`, and so on. */
export class VcardColumns {
  readonly #table: Table;
  readonly #indexes = new Map<string, number | undefined>();

  constructor(table: Table) {
    this.#table = table;
  }

  cellsOf(card: readonly Property[], row: number): string[] {
    const cells: string[] = [];
    const counts = new Map<string, number>();
    const set = (column: string, value: string) => {
      if (value === '') return;
      const count = counts.get(column) ?? 0;
      counts.set(column, count + 1);
      if (count >= MAX_SAME) return;
      const index = this.#indexOf(column, count, row);
      if (index !== undefined) cells[index] = value;
    };
    // What is preferred comes first.
    const isPreferred = ({ types }: Property) => types.includes('pref');
    const sorted = [...card.filter(isPreferred), ...card.filter((property) => !isPreferred(property))];
    for (const { name, types, parts } of sorted) {
      const filled = parts.filter((part) => part !== '');
      if (name === 'N') {
        for (const [index, column] of PARTS_OF_NAME.entries()) set(column, parts[index] ?? '');
      } else if (name === 'ORG') {
        set('Company', parts[0] ?? '');
        set('Department', filled.slice(1).join(', '));
      } else if (name === 'TEL') set(phoneColumn(types), filled.join(';'));
      else if (!IGNORED.test(name)) set(NAMES[name] ?? name, filled.join(name === 'ADR' ? ', ' : ';'));
    }
    return Array.from(cells, (cell) => cell ?? '');
  }

  #indexOf(column: string, count: number, row: number): number | undefined {
    const key = `${column}\n${count}`;
    if (this.#indexes.has(key)) return this.#indexes.get(key);
    const index = this.#table.addColumn(column, row);
    if (index !== undefined) this.#indexes.set(key, index);
    return index;
  }
}

function phoneColumn(types: readonly string[]): string {
  if (types.includes('fax')) return 'Fax';
  return types.includes('cell') || types.includes('mobile') ? 'Mobile phone' : 'Phone';
}
