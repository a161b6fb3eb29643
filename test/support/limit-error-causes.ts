import type { Response } from 'supertest';
import type { TestClient } from './client.ts';
import { makeHook } from './hooks.ts';
import { webhooks } from './webhooks.ts';

/** Causes the errors of exceeded limits. */
export const limitCauses: Record<string, (services: { sandbox: TestClient }) => PromiseLike<Response>> = {
  'You already have 20 webhooks, the maximum. Delete one first.': async ({ sandbox }) => {
    for (let count = 0; count < 20; count += 1) await sandbox.post('/webhooks', webhooks.input()).expect(201);
    return sandbox.post('/webhooks', webhooks.input());
  },
  'You already have 100 inbound hooks, the maximum. Delete one first.': async ({ sandbox }) => {
    for (let count = 0; count < 100; count += 1) await makeHook(sandbox);
    return sandbox.post('/inbound-hooks', { name: 'One too many' });
  },
};
