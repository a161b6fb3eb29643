import { promiseBatchCreate } from '../../support/batch-promises.ts';

promiseBatchCreate('lead');
