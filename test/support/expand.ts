/** One of each resource that names others, and one that names nobody. */
import { startTestApp, type TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { createLead, createUser, uniqueEmail } from './factories.ts';

export interface Item {
  id: string;
  [name: string]: unknown;
}

interface Case {
  /** What it can expand, and the scope for each. */
  expand: readonly string[];
  scopes: readonly string[];
  /** Public ids. */
  full: string;
  empty: string;
  /** What `expand` adds to each of them. */
  added: Record<string, unknown>;
  nothing: Record<string, unknown>;
}

const names = ['leads', 'contacts', 'content', 'notes', 'sales-cycles'] as const;

export interface ExpandWorld extends Record<(typeof names)[number], Case> {
  app: TestApp;
  client: TestClient;
  userId: string;
  readOne(path: string): Promise<Item>;
  readList(path: string): Promise<Item[]>;
}

const contentFields = { title: 'Seven "Ways"', type: 'ebook', url: 'https://www.example.com/a?b=1,2' };

export async function createExpandWorld(): Promise<ExpandWorld> {
  const app = await startTestApp();
  const client = await app.client();
  const make = async (path: string, body: object) => (await client.post(path, body).expect(201)).body.data;
  const grace = { name: 'Grace Hopper', email: uniqueEmail() };
  const user = { id: await createUser(client, grace), ...grace };
  const written = await make('/content', { ...contentFields, slug: 'seven', author_user_id: user.id });
  const plain = await make('/content', { title: 'Plain', slug: 'plain', type: 'ebook' });
  const owned = await make('/contacts', { name: '=Ada', assigned_user_id: user.id, external_id: 'own-1' });
  const free = await make('/contacts', { name: 'Free' });
  const contact = { id: owned.id, name: '=Ada', email: null };
  const content = { id: written.id, ...contentFields };
  const lead = await createLead(client, {
    name: 'Ada, Countess',
    email: uniqueEmail(),
    external_id: 'own-1',
    assigned_user_id: user.id,
    contact_id: contact.id,
    content_id: content.id,
  });
  const alone = await createLead(client);
  const about = (body: object) => client.post('/notes', { text: 'Called.', ...body });
  const note = (await about({ lead_id: lead.id }).set('Acting-User', user.id).expect(201)).body.data;
  const other = (await about({ contact_id: contact.id }).expect(201)).body.data;
  const shown = ({ id, name, email }: typeof lead) => ({ id, name, email });
  return {
    app,
    client,
    userId: user.id,
    readOne: async (path) => (await client.get(path).expect(200)).body.data,
    readList: async (path) => (await client.get(path).expect(200)).body.data,
    leads: {
      expand: ['assigned_user', 'content', 'contact'],
      scopes: ['users:read', 'content:read', 'contacts:read'],
      full: lead.id,
      empty: alone.id,
      added: { assigned_user: user, content, contact },
      nothing: { assigned_user: null, content: null, contact: null },
    },
    contacts: {
      expand: ['assigned_user'],
      scopes: ['users:read'],
      full: owned.id,
      empty: free.id,
      added: { assigned_user: user },
      nothing: { assigned_user: null },
    },
    content: {
      expand: ['author_user'],
      scopes: ['users:read'],
      full: written.id,
      empty: plain.id,
      added: { author_user: user },
      nothing: { author_user: null },
    },
    notes: {
      expand: ['author_user', 'lead', 'contact'],
      scopes: ['users:read', 'leads:read', 'contacts:read'],
      full: note.id,
      empty: other.id,
      added: { author_user: user, lead: shown(lead), contact: null },
      nothing: { author_user: null, lead: null, contact },
    },
    'sales-cycles': {
      expand: ['assigned_user', 'lead', 'content'],
      scopes: ['users:read', 'leads:read', 'content:read'],
      full: lead.sales_cycle.id,
      empty: alone.sales_cycle.id,
      added: { assigned_user: user, lead: shown(lead), content },
      nothing: { assigned_user: null, lead: shown(alone), content: null },
    },
  };
}
