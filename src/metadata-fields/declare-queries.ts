/** What the job reads and writes that converts the stored values of a key. */
import { type Db, first } from '../db/db.ts';
import { knex, sql } from '../db/query.ts';
import { slotColumn } from '../metadata/slots.ts';
import type { MetadataFieldRow } from '../metadata/tables.ts';

/** Rows that are read or written in one transaction. */
const CHUNK = 5_000;

type Field = Pick<MetadataFieldRow, 'resource' | 'key' | 'type' | 'slot'>;

/** Rows in the order of their ids, after one of them (UUID). */
interface Part {
  rows: number;
  /** The last one (UUID). Null if there is none. */
  upto: string | null;
  isLast: boolean;
}

/** A value that is stored as a text. */
export interface StoredText {
  id: string;
  /** The row's place in the part, from 1. */
  place: number;
  text: string;
}

/** The next rows, and their texts under the key. */
export async function readTexts(
  db: Db,
  { resource, key }: Field,
  after: string,
): Promise<Part & { texts: StoredText[] }> {
  const part = knex(resource)
    .select('id', sql`row_number() over (order by id)::int as place`, sql`metadata -> ${key}::text as value`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(CHUNK);
  const found = await first<{ rows: number; upto: string | null; texts: StoredText[] | null }>(
    db,
    knex
      .withMaterialized('part', part)
      .from('part')
      .select(
        sql`count(*)::int as rows`,
        sql`(array_agg(id order by id desc))[1] as upto`,
        sql`json_agg(json_build_object('id', id, 'place', place, 'text', value #>> '{}') order by id)
          filter (where jsonb_typeof(value) = 'string') as texts`,
      ),
  );
  const { rows = 0, upto = null, texts } = found ?? {};
  return { rows, upto, isLast: rows < CHUNK, texts: texts ?? [] };
}

/** Gives the texts of the next rows their JSON type, and fills the column of an indexed key. */
export async function convertTexts(db: Db, field: Field, after: string): Promise<Part> {
  const { resource, key, type, slot } = field;
  const ids = knex(resource).select('id').where('id', '>', after).orderBy('id').limit(CHUNK);
  const part = await first<Omit<Part, 'isLast'>>(
    db,
    knex
      .from(ids.as('part'))
      .select(sql`count(*)::int as rows`, sql`(array_agg(id order by id desc))[1] as upto`),
  );
  const { rows = 0, upto = null } = part ?? {};
  if (upto !== null) {
    const between = knex(resource).where('id', '>', after).where('id', '<=', upto);
    const typed = { number: sql`trim_scale(text::numeric)`, boolean: sql`text::boolean` }[type as string];
    if (typed !== undefined) {
      const texts = between
        .clone()
        .select('id as text_id', sql`metadata ->> ${key}::text as text`)
        .where(sql`jsonb_typeof(metadata -> ${key}::text) = 'string'`);
      await db.run(
        sql`with stored as materialized (${texts})
          update ${knex.ref(resource)}
          set metadata = metadata || jsonb_build_object(${key}::text, ${typed}), version = version + 1
          from stored where id = text_id`,
      );
    }
    if (slot !== null) {
      const column = slotColumn(slot);
      const value = sql`indexed_value(${type}, metadata -> ${key}::text)`;
      await db.run(
        between
          .where(sql`${knex.ref(column)} is distinct from ${value}`)
          .update({ [column]: value } as never),
      );
    }
  }
  return { rows, upto, isLast: rows < CHUNK };
}
