import type { Knex } from 'knex';

/** GET /notes: its orders, and its filters by author. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index notes_created_at_idx on notes (created_at, id);
    create index notes_updated_at_idx on notes (updated_at, id);
    create index notes_actor_id_idx on notes (actor_id, created_at, id) where actor_id is not null;
    create index notes_actor_user_id_idx on notes (actor_user_id, created_at, id) where actor_user_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'drop index notes_created_at_idx, notes_updated_at_idx, notes_actor_id_idx, notes_actor_user_id_idx',
  );
}
