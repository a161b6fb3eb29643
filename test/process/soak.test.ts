/** `npm run soak` at its shortest, and what it would find. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { compare, compareEvents, createLedger, recordLead } from '../../scripts/soak/ledger.ts';
import { describeLife } from '../../scripts/soak/memory.ts';
import { cleanUp, newDataDir, run } from '../support/process.ts';

afterAll(cleanUp);

const MIB = 2 ** 20;

it('a few seconds find nothing, and say how it went', async () => {
  const args = [
    '--minutes',
    '0.05',
    '--calm',
    '0.5',
    '--clients',
    '4',
    '--only',
    'receiver of webhooks answers 503',
  ];
  const { output, exited } = run(process.execPath, ['scripts/soak/main.ts', ...args], {
    TMPDIR: newDataDir(),
  });
  expect(await exited, output.stdout + output.stderr).toBe(0);
  expect(output.stdout).toMatch(
    /\d+ responses in \d+ s \(\d+ a second\), \d+ writes \(\d+ %\), p50 \d+ ms, p99 \d+ ms\n/,
  );
  expect(output.stdout).toMatch(/memory: \d+ MiB at start, \d+ MiB at end/);
  expect(output.stdout).toMatch(/[1-9]\d* leads, .*; [1-9]\d* events received/);
  expect(output.stdout).toMatch(/Nothing was lost or doubled, and no memory grew\.\n$/);
}, 90_000);

describe('the ledger of the soak', () => {
  const page = (...data: object[]) => ({ data, meta: { next_cursor: null, has_more: false } });
  const lead = { id: 'lead_1', name: 'Ada', version: 1 };

  /** A service that has these answers. */
  const service = (answers: Record<string, object>) => async (path: string) => {
    const body = answers[path.split('?')[0] ?? ''];
    return { status: body === undefined ? 404 : 200, body: body ?? {} };
  };

  const nothing = { '/contacts': page(), '/content': page() };

  it('notices what is lost, went back or is there twice', async () => {
    const ledger = createLedger();
    recordLead(ledger, { ...lead, version: 2 });
    ledger.contacts.add('kept').add('lost');
    ledger.notes.set('a note', lead.id);
    const found = await compare(
      ledger,
      service({
        ...nothing,
        '/leads/lead_1': { data: { ...lead, name: 'Eve' } },
        '/contacts': page({ name: 'kept' }, { name: 'twice' }, { name: 'twice' }),
        '/leads/lead_1/notes': page(),
      }),
    );
    expect(found).toEqual([
      'lead_1 went back from version 2 to 1.',
      'lead_1 has the unexpected name Eve.',
      'lost of /contacts is lost.',
      'twice of /contacts is there 2 times.',
      'a note of /leads/lead_1/notes is lost.',
    ]);
    expect(await compare(ledger, service(nothing)).catch(() => ['unreadable'])).not.toEqual([]);
  });

  it('notices an event that is missing, or was never delivered', async () => {
    const ledger = createLedger();
    recordLead(ledger, { ...lead, version: 2 });
    const created = { id: 'event_1', type: 'lead.created', data: { object: lead } };
    expect(await compareEvents(ledger, new Set(), service({ '/events': page(created) }))).toEqual([
      'The event event_1 (lead.created) was never delivered.',
      'lead_1 is at version 2, but has events for versions 1.',
    ]);
  });
});

describe('the memory of a process', () => {
  const life = (bytesAt: (second: number) => number) => ({
    pid: 1,
    samples: Array.from({ length: 300 }, (_, second): [number, number] => [second, bytesAt(second)]),
  });

  it('must not grow once it is warm', () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(describeLife(life((second) => 150 * MIB + second * 0.5 * MIB))).toEqual([
      'A process grew by 120 MiB in 299 s.',
    ]);
    const filling = (second: number) => Math.min(200, 100 + second * 3) * MIB;
    const sawtooth = (second: number) => (180 + (second % 20)) * MIB;
    expect([...describeLife(life(filling)), ...describeLife(life(sawtooth))]).toEqual([]);
    vi.restoreAllMocks();
  });
});
