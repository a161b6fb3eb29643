import { promiseBatchUpdate } from '../../support/batch-change-promises.ts';

promiseBatchUpdate('contact');
