import { promiseUpsert } from '../../support/upsert-promises.ts';

promiseUpsert('lead', '/leads', ['name', 'email']);
