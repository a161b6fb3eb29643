import { promiseUpsert } from '../../support/upsert-promises.ts';

promiseUpsert('contact', '/contacts', ['name']);
