import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { describeRead } from '../../support/resource-promises.ts';
import { contacts } from '../../support/resources.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

describeRead(contacts, () => app);
