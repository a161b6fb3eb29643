/** A page of events ends at 4 MiB, whatever was recorded before its limits existed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/events/record-events.ts';
import { newUuid, toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { latest, record } from '../../support/events.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const LIMIT = 4 * 1024 * 1024;
const hookId = newUuid();

/** An event of about this many bytes, with a number to recognize it. */
function eventOf(bytes: number, number: number): NewEvent {
  const object = {
    id: toId('hook', hookId),
    name: String(number),
    delivery_id: toId('inbound', newUuid()),
    errors: { name: ['x'.repeat(bytes)] },
  };
  return { type: 'inbound.rejected', object };
}

interface Page {
  bytes: number;
  /** The numbers of its events. */
  numbers: number[];
}

async function walk(query: string, after: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor = after, more = true; more; ) {
    const { body, text } = await client.get(`/events?${query}&cursor=${cursor}`).expect(200);
    const numbers = body.data.map(({ data }: { data: { object: { name: string } } }) => +data.object.name);
    pages.push({ bytes: Buffer.byteLength(text), numbers });
    cursor = body.meta.next_cursor;
    more = body.meta.has_more;
  }
  return pages;
}

describe('a page of GET /events', () => {
  const sizes = [3e6, 1e6, 1e6, 6e6, 1e3, 4.194e6, 2e6, ...Array.from({ length: 60 }, () => 1e5)];
  let begin: string;

  beforeAll(async () => {
    begin = await latest(client);
    for (const [number, bytes] of sizes.entries()) await record(app, eventOf(bytes, number));
  });

  it.each([
    'per_page=500',
    'per_page=3',
    'per_page=1',
    'event_types=inbound.rejected&per_page=500',
    `resource_id=${toId('hook', hookId)}&per_page=100`,
  ])('has at most 4 MiB, except for a single larger event, and loses none: %s', async (query) => {
    const pages = await walk(query, begin);
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual([...sizes.keys()]);
    for (const { bytes, numbers } of pages) {
      if (numbers.length > 1) expect(bytes).toBeLessThanOrEqual(LIMIT);
    }
  });

  it('is as long as it may be', async () => {
    const pages = await walk('per_page=500', begin);
    expect(pages.slice(0, 4).map(({ numbers }) => numbers)).toEqual([[0, 1], [2], [3], [4]]);
    expect(Math.max(...pages.map(({ numbers }) => numbers.length))).toBeGreaterThan(35);
  });
});

describe("a page of a lead's history", () => {
  it('ends there too, and its cursor and its Link go on where it ended', async () => {
    const lead = await make(client, leads);
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`, '勝'.repeat(500)]));
    const changes = (number: number) => ({ company: { from: null, to: String(number) } });
    for (let number = 1; number <= 90; number += 1) {
      await record(app, {
        type: 'lead.updated',
        object: { ...lead, metadata },
        changes: changes(number),
      });
    }
    const seen: unknown[] = [];
    let [address, pages] = [`/leads/${lead.id}/events?per_page=100`, 0];
    for (; address !== ''; pages += 1) {
      const { body, text, headers } = await client.get(address).expect(200);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
      expect(body.meta.total).toBe(91);
      seen.push(...body.data.map(({ data }: { data: { changes: unknown } }) => data.changes));
      const next = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(headers.link ?? '')?.[1];
      expect(next === undefined).toBe(body.meta.next_cursor === null);
      address = next ?? '';
    }
    expect(pages).toBe(2);
    expect(seen).toEqual([...Array.from({ length: 90 }, (_, n) => changes(90 - n)), {}]);
  });
});
