/** Notes about one lead and one contact, which `prepare` creates. */
import type { components } from '../../generated/api.ts';
import { newUuid, toId } from '../../src/values/id.ts';
import { uniqueEmail } from './factories.ts';
import type { TestResource } from './resources.ts';

type Note = components['schemas']['Note'];

export const leadNotes = notesOf('lead', { name: 'Ada', email: uniqueEmail(), status: 'new', source: 'api' });
export const contactNotes = notesOf('contact', { name: 'Ada' });

interface TestNotes extends TestResource<Note> {
  /** Public id of the lead or contact that the notes are about. */
  ownerId: string;
}

function notesOf(kind: 'lead' | 'contact', owner: object): TestNotes {
  const id = newUuid();
  const ownerId = toId(kind, id);
  return {
    ownerId,
    path: `/${kind}s/${ownerId}/notes`,
    table: 'notes',
    prefix: 'note',
    nameField: 'text',
    longestName: 10_000,
    isSearched: false,
    required: ['text'],
    input: (text = 'Called back.') => ({ text }),
    async prepare({ production, sandbox }) {
      for (const { knex } of [production, sandbox]) await knex(`${kind}s`).insert({ id, ...owner });
    },
  };
}
