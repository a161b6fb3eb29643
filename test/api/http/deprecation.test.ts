import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Deprecation, operations } from '../../../generated/operations.ts';
import { announceDeprecation } from '../../../src/http/deprecation.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

const deprecation = { deprecatedAt: '2026-11-20', sunset: '2027-11-20', successor: '/people' };

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({
    operations: {
      ...operations,
      listLeads: { ...operations.listLeads, deprecation },
      getLead: { ...operations.getLead, deprecation: { ...deprecation, successor: '/people/{id}' } },
      deleteLead: {
        ...operations.deleteLead,
        deprecation: { ...deprecation, successor: 'https://example.com/guide' },
      },
    },
  });
  client = await app.client();
});

afterAll(() => app.close());

describe('a deprecated operation', () => {
  it('names its date, its end and its successor, next to its own links', async () => {
    const { headers } = await client.get('/leads').expect(200);
    expect(headers.deprecation).toBe('@1795132800');
    expect(headers.sunset).toBe('Sat, 20 Nov 2027 00:00:00 GMT');
    expect(headers.link).toContain('<https://api.test/v1/people>; rel="successor-version", <');
    expect(headers.link).toContain('rel="first"');
  });

  it('names the successor of the very resource, or a guide', async () => {
    const { id } = await createLead(client);
    const { headers } = await client.get(`/leads/${id}`).expect(200);
    expect(headers.link).toBe(`<https://api.test/v1/people/${id}>; rel="successor-version"`);
    const deleted = await client.delete(`/leads/${id}`).expect(204);
    expect(deleted.headers.link).toBe('<https://example.com/guide>; rel="successor-version"');
  });

  it('is announced with an error, too', async () => {
    const { headers } = await app.anonymous.get('/leads').expect(401);
    expect(headers.deprecation).toBe('@1795132800');
  });
});

describe('any other operation', () => {
  it('has no announcement', async () => {
    const { headers } = await client.get('/auth/me').expect(200);
    expect(headers).not.toHaveProperty('deprecation');
    expect(headers).not.toHaveProperty('sunset');
  });
});

describe('at boot', () => {
  const announce = (dates: Partial<Deprecation>) =>
    announceDeprecation({ getLead: { ...operations.getLead, deprecation: { ...deprecation, ...dates } } });

  it('rejects a notice of less than 12 months', () => {
    expect(() => announce({ sunset: '2027-11-19' })).toThrow(/getLead.*12 months/);
    expect(() => announce({ sunset: 'next year' })).toThrow(/getLead/);
    expect(() => announce({ deprecatedAt: 'today' })).toThrow(/getLead/);
  });

  it('takes 12 months and more', () => {
    expect(() => announce({})).not.toThrow();
    expect(() => announce({ sunset: '2030-01-01' })).not.toThrow();
  });
});
