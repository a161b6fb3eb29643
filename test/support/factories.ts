import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { components } from '../../generated/api.ts';
import { newUuid, toId } from '../../src/db/id.ts';
import type { TestClient } from './client.ts';

type Schemas = components['schemas'];

export function uniqueEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** What a valid lead needs, and what the test gives. */
export function leadInput(
  fields: Partial<Schemas['CreateLead']> = {},
): Partial<Schemas['CreateLead']> & { name: string; email: string } {
  return { name: 'Ada Lovelace', email: uniqueEmail(), ...fields };
}

/** Creates a lead through the API. */
export async function createLead(
  client: TestClient,
  fields: Partial<Schemas['CreateLead']> = {},
): Promise<Schemas['Lead']> {
  const { body } = await client.post('/leads', leadInput(fields)).expect(201);
  return body.data;
}

/** A user, straight into the table: their endpoints come later. Gives the id. */
export async function insertUser(db: Knex, fields: { active?: boolean } = {}): Promise<string> {
  const id = newUuid();
  await db('users').insert({ id, name: 'Grace Hopper', email: uniqueEmail(), ...fields });
  return toId('user', id);
}
