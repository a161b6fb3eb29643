import { randomUUID } from 'node:crypto';
import type { ApiRequest } from './load.ts';

/** What the bench sends about a resource, and the rows that it seeds. */
export interface Resource {
  /** Of its public ids. */
  prefix: string;
  /** SQL expressions for the columns of seeded row number `i`, besides its id and timestamps. */
  seeded: Record<string, string>;
  /** A new request body for a create, with unique values. */
  body(): object;
  /** A new request body for a PATCH, with a value that the row does not have. */
  patch(): object;
}

const person = {
  name: 'Ada Lovelace',
  phone: '+4915112345678',
  company: 'Analytical Engines',
  tags: ['vip', 'newsletter'],
};
const newEmail = () => `${randomUUID()}@example.com`;

const seededName = { name: `'Person ' || i`, email: `'person' || i || '@example.com'` };
const seededPerson = {
  ...seededName,
  phone: `'+4915112345678'`,
  company: `'Company ' || i % 1000`,
  tags: `array['vip', 'newsletter']`,
};

const leads: Resource = {
  prefix: 'lead',
  seeded: {
    ...seededPerson,
    status: `(array['new', 'contacted', 'qualified', 'won', 'lost'])[1 + i % 5]`,
    source: `(array['api', 'website', 'referral', 'manual'])[1 + i % 4]`,
  },
  body: () => ({ ...person, email: newEmail(), source: 'website' }),
  patch: () => ({ company: `Difference Engines ${randomUUID()}` }),
};

const contacts: Resource = {
  prefix: 'contact',
  seeded: { ...seededPerson, title: `'Title ' || i % 10` },
  body: () => ({ ...person, email: newEmail(), title: 'Head of Engineering' }),
  patch: leads.patch,
};

const content: Resource = {
  prefix: 'content',
  seeded: {
    title: `'Title ' || i`,
    slug: `'title-' || i`,
    type: `(array['article', 'ebook', 'webinar'])[1 + i % 3]`,
    summary: `'What number ' || i || ' is about'`,
    body: `repeat('Some words of it. ', 20)`,
    language: `'en'`,
    tags: `array['guide', 'pricing']`,
  },
  body: () => ({
    ...{ title: 'Notes on the Analytical Engine', slug: `notes-${randomUUID()}`, type: 'article' },
    ...{ summary: 'What it can and cannot do', body: 'Some words of it. '.repeat(20) },
    ...{ language: 'en', tags: ['guide', 'pricing'] },
  }),
  patch: () => ({ summary: `What it can do, ${randomUUID()}` }),
};

const users: Resource = {
  prefix: 'user',
  seeded: { ...seededName, active: 'i % 10 <> 0' },
  body: () => ({ name: person.name, email: newEmail() }),
  patch: () => ({ name: `Ada ${randomUUID()}` }),
};

export const resources = { leads, contacts, content, users };
export type ResourceName = keyof typeof resources;

export function newLead(): ApiRequest {
  return { method: 'POST', path: '/leads', body: leads.body() };
}
