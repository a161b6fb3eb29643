import { promiseBatchRead } from '../../support/batch-change-promises.ts';

promiseBatchRead('lead');
