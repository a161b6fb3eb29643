import { type Db, first } from '../db/db.ts';
import { knex, prepare } from '../db/query.ts';

const nextChunk = prepare<{ id: string; from: number; to: number }, { number: number; rows: string }>(
  'next_import_chunk',
  ($) =>
    knex('import_chunks')
      .where({ import_id: $('id') })
      .where('number', '>=', $('from'))
      .where('number', '<', $('to'))
      .orderBy('number')
      .limit(1)
      .select('number', 'rows'),
);

/** The first chunk of an import with a number from `from` to before `to`. */
export function chunkWithNumber(
  db: Db,
  id: string,
  from: number,
  to: number,
): Promise<{ number: number; rows: string } | undefined> {
  return first(db, nextChunk({ id, from, to }));
}

const failed = prepare<{ id: string; rows: number[] }, { row: number }>('failed_import_rows', ($) =>
  knex('import_rows')
    .where({ id: $('id'), outcome: 'failed' })
    .whereRaw('"row" = any(?::integer[])', [$('rows')])
    .select('row'),
);

/** Which of the rows have failed. */
export async function failedRowsAmong(db: Db, id: string, rows: number[]): Promise<number[]> {
  return (await db.run(failed({ id, rows }))).map(({ row }) => row);
}

interface Message {
  row: number;
  column: string | null;
  field: string | null;
  message: string;
}

const messages = prepare<{ id: string; rows: number[] }, Message>('job_error_messages', ($) =>
  knex('job_errors')
    .where({ job_id: $('id'), severity: 'error' })
    .whereRaw('"row" = any(?::integer[])', [$('rows')])
    .orderBy(['row', 'id'])
    .select('row', 'column', 'field', 'message'),
);

/** The errors of the rows. */
export function messagesAmong(db: Db, id: string, rows: number[]): Promise<Message[]> {
  return db.run(messages({ id, rows }));
}
