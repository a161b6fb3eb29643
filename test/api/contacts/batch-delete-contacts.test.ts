import { promiseBatchDelete } from '../../support/batch-change-promises.ts';

promiseBatchDelete('contact');
