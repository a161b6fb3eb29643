/** What the service has acknowledged, to be compared with what it still has afterwards. */

export interface Lead {
  id: string;
  name: string;
  version: number;
}

/** One lead as its only writer knows it. */
interface Entry {
  /** Names that may stand there: the last one acknowledged, and those of later patches that were never answered. */
  names: Set<string>;
  version: number;
  deleted: 'no' | 'perhaps' | 'yes';
}

export interface Ledger {
  leads: Map<string, Entry>;
  /** Names of contacts, each created once under one Idempotency-Key. */
  contacts: Set<string>;
}

export function createLedger(): Ledger {
  return { leads: new Map(), contacts: new Set() };
}

export function noteLead({ leads }: Ledger, { id, name, version }: Lead): void {
  leads.set(id, { names: new Set([name]), version, deleted: 'no' });
}

type Get = (path: string) => Promise<{ status: number; body: unknown }>;

/** What was lost or doubled, a sentence each. */
export async function compare(ledger: Ledger, get: Get): Promise<string[]> {
  return [...(await compareLeads(ledger, get)), ...(await compareContacts(ledger, get))];
}

async function compareLeads({ leads }: Ledger, get: Get): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, { names, version, deleted }] of leads) {
    const { status, body } = await get(`/leads/${id}`);
    if (status === 404 && deleted !== 'no') continue;
    if (status !== 200) faults.push(`${id} was acknowledged and is answered ${status}.`);
    else if (deleted === 'yes') faults.push(`${id} was deleted and is still there.`);
    else {
      const found = (body as { data: Lead }).data;
      if (found.version < version)
        faults.push(`${id} fell back from version ${version} to ${found.version}.`);
      if (!names.has(found.name)) faults.push(`${id} has the name ${found.name}, which was never its last.`);
    }
  }
  return faults;
}

async function compareContacts({ contacts }: Ledger, get: Get): Promise<string[]> {
  const seen = new Map<string, number>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(`/contacts?per_page=100${cursor && `&cursor=${cursor}`}`);
    const page = body as { data: { name: string }[]; meta: { next_cursor: string | null } };
    for (const { name } of page.data) seen.set(name, (seen.get(name) ?? 0) + 1);
    cursor = page.meta.next_cursor;
  }
  const lost = [...contacts].filter((name) => !seen.has(name)).map((name) => `The contact ${name} is lost.`);
  const doubled = [...seen]
    .filter(([, count]) => count > 1)
    .map(([name]) => `The contact ${name} is doubled.`);
  return [...lost, ...doubled];
}

interface Event {
  id: string;
  type: string;
  data: { object: { id: string; version?: number } };
}

/** Each acknowledged version of a lead must have exactly one event, and each event must have reached the receiver. */
export async function compareEvents({ leads }: Ledger, received: Set<string>, get: Get): Promise<string[]> {
  const faults: string[] = [];
  const versions = new Map<string, number[]>();
  for (let after = '', more = true; more; ) {
    const { body } = await get(`/events?limit=500${after && `&after=${after}`}`);
    const { data, meta } = body as { data: Event[]; meta: { next_cursor: string; has_more: boolean } };
    for (const { id, type, data: change } of data) {
      if (!received.has(id)) faults.push(`The event ${id} (${type}) was never delivered.`);
      if (type !== 'lead.created' && type !== 'lead.updated') continue;
      const known = versions.get(change.object.id) ?? [];
      versions.set(change.object.id, [...known, change.object.version ?? 0]);
    }
    after = meta.next_cursor;
    more = meta.has_more;
  }
  for (const [id, { version }] of leads) {
    const told = versions.get(id) ?? [];
    const expected = Array.from({ length: Math.max(version, told.length) }, (_, index) => index + 1);
    if (told.join() !== expected.join())
      faults.push(`${id} is at version ${version}, its events tell of ${told}.`);
  }
  return faults;
}
