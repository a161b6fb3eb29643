import { promiseBatchUpsert } from '../../support/batch-promises.ts';

promiseBatchUpsert('lead');
