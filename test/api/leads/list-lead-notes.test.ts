import { describeList } from '../../support/list-promises.ts';
import { leadNotes } from '../../support/notes.ts';

describeList(leadNotes);
