import pg from 'pg';

/** As many connections as the service has. */
const CONNECTIONS = 10;

const TIMESTAMPTZ = 1184;

/** `2026-11-20 09:30:00.12+00` → `2026-11-20T09:30:00.120Z`. The server's time zone is UTC. */
function isoOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

export function openPool(connectionString: string): pg.Pool {
  return new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === TIMESTAMPTZ ? isoOf : pg.types.getTypeParser(type, format as 'text'),
    } as pg.CustomTypesConfig,
  });
}

/** Times are ISO 8601. */
// biome-ignore lint/suspicious/noExplicitAny: rows of four tables, whose columns only the statements know.
export type Row = Record<string, any>;
