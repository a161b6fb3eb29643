import { describeList } from '../../support/list-promises.ts';
import { contactNotes } from '../../support/notes.ts';

describeList(contactNotes);
