/** Notes about a lead, which `prepare` creates. */
import type { components } from '../../generated/api.ts';
import { newUuid, toId } from '../../src/values/id.ts';
import { uniqueEmail } from './factories.ts';
import type { TestResource } from './resources.ts';

type Note = components['schemas']['Note'];

interface TestNotes extends TestResource<Note> {
  /** Public id of the lead that the notes are about. */
  ownerId: string;
}

const id = newUuid();
const ownerId = toId('lead', id);

export const notes: TestNotes = {
  ownerId,
  path: '/notes',
  prefix: 'note',
  nameField: 'text',
  longestName: 10_000,
  isSearched: false,
  required: ['text'],
  input: (text = 'Called back.') => ({ lead_id: ownerId, text }),
  async prepare({ production, sandbox }) {
    const lead = { id, name: 'Ada', email: uniqueEmail(), status: 'new', source: 'api' } as const;
    for (const { knex } of [production, sandbox]) await knex('leads').insert(lead);
  },
};
