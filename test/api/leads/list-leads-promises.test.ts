import { describeList } from '../../support/list-promises.ts';
import { leads } from '../../support/resources.ts';

describeList(leads);
