/** Every report rejects an invalid period. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['analytics:read']);
});

afterAll(() => app.close());

const reports = ['summary', 'funnel', 'timeseries', 'time-in-status', 'activity', 'breakdown'];

describe.each(reports)('GET /analytics/%s', (report) => {
  it.each([
    ['from', 'from=2026-02-30'],
    ['from', 'from=yesterday'],
    ['from', 'from=2026-11-20T00:00:00Z'],
    ['from', 'from=1969-12-31&to=1970-01-10'],
    ['from', 'from=2026-11-21&to=2026-11-20'],
    ['from', 'from=2024-01-01&to=2027-01-05'],
    ['from', 'from=2011-12-30&to=2011-12-30&timezone=Pacific/Apia'],
    ['to', 'to=2026-13-01'],
    ['to', 'from=9998-12-30&to=9999-01-01'],
    ['timezone', 'timezone=Mars/Olympus'],
    ['timezone', 'timezone=%2B02:00'],
    ['timezone', "timezone=UTC'"],
    ['timezone', `timezone=${'a/'.repeat(40)}a`],
    ['source', 'source=fax'],
    ['assigned_user_id', 'assigned_user_id=user_1'],
    ['content_id', 'content_id=lead_01h455vb4pex5vsknk084sn02q'],
    ['page', 'page=2'],
  ])('names the parameter %s in %s', async (field, query) => {
    await expectRefusal(client.get(`/analytics/${report}?${query}`), {
      status: 400,
      field,
      code: 'invalid_parameter',
    });
  });

  it('accepts 1,100 days', async () => {
    await client.get(`/analytics/${report}?from=2024-01-01&to=2027-01-04&timezone=asia/kolkata`).expect(200);
  });
});

const ofLeads = reports.filter((report) => report !== 'activity');

it.each(ofLeads)('GET /analytics/%s accepts an assignee, content and a tag without leads', async (report) => {
  const query = 'assigned_user_id=user_01h455vb4pex5vsknk084sn02q&content_id=none&tag=a,b&source=api';
  await client.get(`/analytics/${report}?${query}`).expect(200);
});
