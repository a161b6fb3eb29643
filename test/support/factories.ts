import { randomUUID } from 'node:crypto';
import type { components } from '../../generated/api.ts';
import type { TestClient } from './client.ts';

type Schemas = components['schemas'];

export function uniqueEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** The required fields of a valid lead, and those that the test sets. */
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

/** Creates a user through the API. Returns the id. */
export async function createUser(
  client: TestClient,
  fields: Partial<Schemas['CreateUser']> = {},
): Promise<string> {
  const input = { name: 'Grace Hopper', email: uniqueEmail(), ...fields };
  const { body } = await client.post('/users', input).expect(201);
  return body.data.id;
}
