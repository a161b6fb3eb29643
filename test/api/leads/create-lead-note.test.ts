import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { leadNotes } from '../../support/notes.ts';
import { describeCreate } from '../../support/resource-promises.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  await leadNotes.prepare?.(app);
});

afterAll(() => app.close());

describeCreate(leadNotes, () => app);
