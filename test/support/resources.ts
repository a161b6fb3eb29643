/** The resources of the platform: their paths, and valid bodies to create them. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { components } from '../../generated/api.ts';
import { errorCodes } from '../../generated/error-codes.ts';
import type { ProblemCode } from '../../src/problem.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { leadInput, uniqueEmail } from './factories.ts';

type Schemas = components['schemas'];

export interface TestResource<Data = Record<string, unknown> & { id: string; version: number }> {
  path: string;
  /** Its table, if it isn't named like the path. */
  table?: string;
  prefix: string;
  nameField: 'name' | 'title' | 'text';
  /** Maximum length of the name, if it is more than 300 characters. */
  longestName?: number;
  /** Lists that can't be searched can't be sorted by name either. */
  isSearched?: false;
  /** The required fields and no others. */
  required: readonly string[];
  /** The field that lists and events leave out. */
  unlisted?: string;
  /** The field that only the response to its creation has. */
  shownOnce?: string;
  /** A valid body. */
  input(name?: string): Record<string, unknown>;
  /** Creates its parent. */
  prepare?(app: TestApp): Promise<void>;
  /** Never set: it carries the type of the response. */
  data?: Data;
}

export const leads: TestResource<Schemas['Lead']> = {
  path: '/leads',
  prefix: 'lead',
  nameField: 'name',
  required: ['name', 'email'],
  input: (name = 'Ada Lovelace') => leadInput({ name }),
};

export const contacts: TestResource<Schemas['Contact']> = {
  path: '/contacts',
  prefix: 'contact',
  nameField: 'name',
  required: ['name'],
  input: (name = 'Ada Lovelace') => ({ name, email: uniqueEmail() }),
};

export const content: TestResource<Schemas['ContentWithBody']> = {
  path: '/content',
  unlisted: 'body',
  prefix: 'content',
  nameField: 'title',
  required: ['title', 'type'],
  input: (title = 'Seven Ways') => ({ title, slug: `slug-${randomUUID()}`, type: 'ebook' }),
};

export const users: TestResource<Schemas['User']> = {
  path: '/users',
  prefix: 'user',
  nameField: 'name',
  required: ['name', 'email'],
  input: (name = 'Grace Hopper') => ({ name, email: uniqueEmail() }),
};

/** Creates one through the API, with these fields and the required ones. Returns it as a read would. */
export async function make<Data>(
  client: TestClient,
  resource: TestResource<Data>,
  fields: object = {},
): Promise<Data> {
  const { body } = await client.post(resource.path, { ...resource.input(), ...fields }).expect(201);
  return asRead(resource, body.data);
}

/** A created resource without the field that is shown once. */
export function asRead<Data>({ shownOnce = '' }: TestResource<Data>, data: object): Data {
  const { [shownOnce as never]: _shown, ...rest } = data;
  return rest as Data;
}

/** A resource as lists and events show it. */
export function asListed({ unlisted = '' }: TestResource<unknown>, data: unknown): object {
  const { [unlisted as never]: _left, ...rest } = data as object;
  return rest;
}

export async function read<Data>(
  client: TestClient,
  resource: TestResource<Data>,
  id: string,
): Promise<Data> {
  const { body } = await client.get(`${resource.path}/${id}`).expect(200);
  return body.data;
}

interface Refusal {
  status?: number;
  field: string;
  code?: string;
}

/** Expects a rejection for exactly this field, and returns its body. */
export async function expectRefusal(
  request: ReturnType<TestClient['get']>,
  { field, code = 'validation_failed', status = errorCodes[code as ProblemCode] }: Refusal,
): Promise<Schemas['ApiError']> {
  const answer = await request;
  const { body } = answer;
  const seen = { status: answer.status, code: body.code, fields: Object.keys(body.errors ?? {}) };
  expect(seen).toEqual({ status, code, fields: [field] });
  expect(body.message).toBeTruthy();
  return body;
}

/** The names of the rejected fields, in alphabetical order. */
export async function refusedFields(
  request: ReturnType<TestClient['get']>,
  { status = 422, code = 'validation_failed' } = {},
): Promise<string[]> {
  const answer = await request;
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  return Object.keys(answer.body.errors).sort();
}
