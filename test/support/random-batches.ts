/** Random batches whose items conflict, and the results of single requests with the same items. */
import { hash } from 'node:crypto';
import type { TestClient } from './client.ts';

type Kind = 'lead' | 'contact';
type Fields = Record<string, unknown> & { email?: string; external_id?: string };

export interface Action {
  name: 'create' | 'upsert' | 'update' | 'delete';
  body: { match?: 'email' | 'external_id'; items?: unknown[]; ids?: string[] };
}

interface Known {
  ids: readonly string[];
  /** An active and an inactive one. */
  users: readonly string[];
}

interface Result {
  status: string;
  id?: string;
  message?: string;
  errors?: Record<string, string[]>;
  [field: string]: unknown;
}

/** Pseudo-random numbers, the same ones for the same seed. */
function dice(seed: string) {
  let rolls = 0;
  const roll = (sides: number) => {
    rolls += 1;
    return Number.parseInt(hash('sha256', `${seed} ${rolls}`).slice(0, 8), 16) % sides;
  };
  const pick = <Value>(values: readonly Value[]) => values[roll(values.length)] as Value;
  return { roll, pick, chance: (percent: number) => roll(100) < percent };
}

type Dice = ReturnType<typeof dice>;

const emails = [
  'a@example.com',
  'A@example.com',
  'b@example.com',
  'c@example.com',
  'd@example.com',
  'E@example.com',
];
const externalIds = ['x1', 'x2', 'x3', 'x4'];
const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'];

/** The same batch for the same seed, with the ids of another database. */
export function randomBatch(seed: string, kind: Kind, known: Known): Action {
  const random = dice(seed);
  const { roll, pick, chance } = random;
  const name = pick(['create', 'upsert', 'upsert', 'update', 'update', 'delete'] as const);
  const unknown = `${kind}_01m7w4n5e0e3tajy9kep34bze2`;
  const anyId = () => (known.ids.length === 0 || chance(10) ? unknown : pick(known.ids.slice(-8)));
  const count = 1 + roll(12);
  const list = <Item>(make: () => Item) => Array.from({ length: count }, make);
  if (name === 'delete') return { name, body: { ids: list(anyId).slice(0, 2) } };
  if (name === 'create') {
    return {
      name,
      body: { items: list(() => ({ ...someFields(random, kind, known), name: 'Ada', email: pick(emails) })) },
    };
  }
  if (name === 'upsert') {
    const match = pick(['email', 'external_id'] as const);
    const key = () => ({ [match]: pick(match === 'email' ? emails : externalIds) });
    return { name, body: { match, items: list(() => ({ ...someFields(random, kind, known), ...key() })) } };
  }
  const items = list(() => ({
    id: anyId(),
    ...(chance(15) && { version: 1 + roll(4) }),
    patch: someFields(random, kind, known),
  }));
  return { name, body: { items } };
}

function someFields({ pick, chance }: Dice, kind: Kind, { users }: Known): Fields {
  return {
    ...(chance(60) && { name: pick(['Ada', 'Grace', 'Mae']) }),
    ...(chance(40) && { email: pick(emails) }),
    ...(chance(25) && { external_id: pick(externalIds) }),
    ...(chance(30) && { company: pick(['Engines', null]) }),
    ...(chance(30) && { tags: pick([['a'], ['b', 'b'], []]) }),
    ...(chance(30) && { metadata: pick([{ plan: 'gold' }, { plan: 'iron', seats: '5' }, {}]) }),
    ...(chance(20) && { assigned_user_id: pick([users[0], users[0], users[1], null]) }),
    ...(chance(5) && { nonsense: true }),
    ...(chance(5) && { phone: '0049' }),
    ...(kind === 'lead' && {
      ...(chance(30) && { status: pick(statuses) }),
      ...(chance(20) && { source_detail: pick(['Trade show', null]) }),
      ...(chance(10) && { lost_reason: 'No budget' }),
      ...(chance(5) && { content_id: 'content_01m7w4n5e0fj29y8hnfp12qb0m' }),
    }),
  };
}

/** Sends the items one after another, and returns the results that a batch would. */
export async function sendSingly(client: TestClient, kind: Kind, { name, body }: Action): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of body.items ?? body.ids ?? []) {
    const result = await sendOne(client, kind, name, body.match, item as never);
    results.push(result);
  }
  return results;
}

async function sendOne(
  client: TestClient,
  kind: Kind,
  name: Action['name'],
  match: Action['body']['match'],
  item: Fields & { id: string; version?: number; patch: Fields },
): Promise<Result> {
  const path = `/${kind}s`;
  switch (name) {
    case 'create':
      return toResult(kind, await client.post(path, item));
    case 'delete': {
      const { status } = await client.delete(`${path}/${item}`);
      return { status: status === 204 ? 'deleted' : 'not_found', id: String(item) };
    }
    case 'update':
      return patch(client, kind, item);
    case 'upsert': {
      const query = new URLSearchParams({ [match as string]: String(item[match as 'email']) });
      const [found] = (await client.get(`${path}?${query}`).expect(200)).body.data;
      // A patch's invalid fields are found before a new resource's missing ones.
      const isRefused = 'phone' in item || 'nonsense' in item;
      const required = isRefused && { name: 'Ada', email: 'z@example.com' };
      if (found === undefined)
        return toResult(kind, await client.post(path, { ...required, ...withoutNulls(item) }));
      const { patch: _, ...result } = await patch(client, kind, { id: found.id, patch: item });
      return unplaced(result);
    }
    default:
      return name satisfies never;
  }
}

async function patch(
  client: TestClient,
  kind: Kind,
  { id, version, patch }: { id: string; version?: number; patch: Fields },
): Promise<Result> {
  const before = await client.get(`/${kind}s/${id}`);
  const conditional = version === undefined ? client : client.with({ 'If-Match': `"${version}"` });
  const answer = await conditional.patch(`/${kind}s/${id}`, patch);
  const result = toResult(kind, answer, before.body.data?.version);
  if (answer.status === 404) return { ...result, errors: { id: ['id does not exist.'] } };
  if (answer.status === 412) {
    const messages = [`version is not the current version, which is ${before.body.data.version}.`];
    return { ...result, message: `${result.message}`.replaceAll('"', ''), errors: { version: messages } };
  }
  return placed(result);
}

function toResult(
  kind: Kind,
  { status, body }: { status: number; body: Record<string, never> },
  version?: number,
): Result {
  if (status >= 400) {
    const { request_id: _, ...error } = body;
    return { status: 'failed', ...error };
  }
  const data = body.data as unknown as { id: string; version: number };
  const changed = data.version === version ? 'unchanged' : 'updated';
  return { status: status === 201 ? 'created' : changed, id: data.id, [kind]: data };
}

/** The fields of a patch are in the item's `patch`. */
function placed({ errors, message, ...result }: Result): Result {
  if (errors === undefined) return { ...result };
  const moved = Object.entries(errors).map(([field, messages]) => [
    `patch.${field}`,
    messages.map((message) => (message.startsWith(`${field} `) ? `patch.${message}` : message)),
  ]);
  return { ...result, message: `patch.${message}`, errors: Object.fromEntries(moved) };
}

function unplaced({ errors, message, ...result }: Result): Result {
  if (errors === undefined) return { ...result };
  const moved = Object.entries(errors).map(([field, messages]) => [
    field.replace('patch.', ''),
    messages.map((message) => message.replace('patch.', '')),
  ]);
  return { ...result, message: `${message}`.replace('patch.', ''), errors: Object.fromEntries(moved) };
}

/** The merge patch applied to an empty object. */
function withoutNulls(item: Fields): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
