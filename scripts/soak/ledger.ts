/** Records what the service acknowledged, to compare it with what is stored afterwards. */

export interface Lead {
  id: string;
  name: string;
  version: number;
}

/** The expected state of a lead. Each lead has a single writer. */
interface Entry {
  /** Possible names: the last acknowledged one, and those of later patches without a response. */
  names: Set<string>;
  version: number;
  deleted: 'no' | 'maybe' | 'yes';
}

export interface Ledger {
  leads: Map<string, Entry>;
  /** Names of contacts: of single ones, batches and imports, each request with its own Idempotency-Key. */
  contacts: Set<string>;
  /** Titles of content. */
  content: Set<string>;
  /** Texts of notes, and the lead of each. */
  notes: Map<string, string>;
}

export function createLedger(): Ledger {
  return { leads: new Map(), contacts: new Set(), content: new Set(), notes: new Map() };
}

export function recordLead({ leads }: Ledger, { id, name, version }: Lead): void {
  leads.set(id, { names: new Set([name]), version, deleted: 'no' });
}

type Get = (path: string) => Promise<{ status: number; body: unknown }>;

/** Returns what was lost or duplicated, one sentence each. */
export async function compare(ledger: Ledger, get: Get): Promise<string[]> {
  return [
    ...(await compareLeads(ledger, get)),
    ...(await compareAll('/contacts', 'name', ledger.contacts, get)),
    ...(await compareAll('/content', 'title', ledger.content, get)),
    ...(await compareNotes(ledger, get)),
  ];
}

async function compareLeads({ leads }: Ledger, get: Get): Promise<string[]> {
  const violations: string[] = [];
  for (const [id, { names, version, deleted }] of leads) {
    const { status, body } = await get(`/leads/${id}`);
    if (status === 404 && deleted !== 'no') continue;
    if (status !== 200) violations.push(`${id} was acknowledged but returns ${status}.`);
    else if (deleted === 'yes') violations.push(`${id} was deleted but still exists.`);
    else {
      const found = (body as { data: Lead }).data;
      if (found.version < version)
        violations.push(`${id} went back from version ${version} to ${found.version}.`);
      if (!names.has(found.name)) violations.push(`${id} has the unexpected name ${found.name}.`);
    }
  }
  return violations;
}

/** Checks that each value is there once. What the ledger does not know may be there once as well. */
async function compareAll(
  path: string,
  field: 'name' | 'title',
  expected: Set<string>,
  get: Get,
): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(`${path}?per_page=100${cursor && `&cursor=${cursor}`}`);
    const page = body as { data: Record<string, string>[]; meta: { next_cursor: string | null } };
    found.push(...page.data.map((row) => String(row[field])));
    cursor = page.meta.next_cursor;
  }
  return differences(path, expected, found);
}

async function compareNotes({ notes, leads }: Ledger, get: Get): Promise<string[]> {
  const violations: string[] = [];
  const byLead = Map.groupBy(notes, ([, lead]) => lead);
  for (const [lead, texts] of byLead) {
    // Notes go with their lead.
    if (leads.get(lead)?.deleted !== 'no') continue;
    const { body } = await get(`/leads/${lead}/notes?per_page=100`);
    const found = (body as { data: { text: string }[] }).data.map((note) => note.text);
    violations.push(...differences(`/leads/${lead}/notes`, new Set(texts.map(([text]) => text)), found));
  }
  return violations;
}

function differences(path: string, expected: Set<string>, found: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of found) counts.set(value, (counts.get(value) ?? 0) + 1);
  const lost = [...expected].filter((value) => !counts.has(value));
  const doubled = [...counts].filter(([, count]) => count > 1);
  return [
    ...lost.map((value) => `${value} of ${path} is lost.`),
    ...doubled.map(([value, count]) => `${value} of ${path} is there ${count} times.`),
  ];
}

interface Event {
  id: string;
  type: string;
  data: { object: { id: string; version?: number } };
}

/** Checks that each acknowledged version of a lead has exactly one event, and that each event reached the receiver. */
export async function compareEvents({ leads }: Ledger, received: Set<string>, get: Get): Promise<string[]> {
  const violations: string[] = [];
  const versions = new Map<string, number[]>();
  for (let after = '', more = true; more; ) {
    const { body } = await get(`/events?limit=500${after && `&after=${after}`}`);
    const { data, meta } = body as { data: Event[]; meta: { next_cursor: string; has_more: boolean } };
    for (const { id, type, data: change } of data) {
      if (!received.has(id)) violations.push(`The event ${id} (${type}) was never delivered.`);
      if (type !== 'lead.created' && type !== 'lead.updated') continue;
      const known = versions.get(change.object.id) ?? [];
      versions.set(change.object.id, [...known, change.object.version ?? 0]);
    }
    after = meta.next_cursor;
    more = meta.has_more;
  }
  for (const [id, { version }] of leads) {
    const recorded = versions.get(id) ?? [];
    const expected = Array.from({ length: Math.max(version, recorded.length) }, (_, index) => index + 1);
    if (recorded.join() !== expected.join())
      violations.push(`${id} is at version ${version}, but has events for versions ${recorded}.`);
  }
  return violations;
}
