import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { contactNotes } from '../../support/notes.ts';
import { describeRead } from '../../support/resource-promises.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  await contactNotes.prepare?.(app);
});

afterAll(() => app.close());

describeRead(contactNotes, () => app);
