import { actorColumns, system } from '../actor.ts';
import type { ContactRow } from '../contacts/tables.ts';
import type { LeadRow, LeadStatusChangeRow } from '../leads/tables.ts';
import type { UserRow } from '../users/tables.ts';
import { newUuid } from '../values/id.ts';
import { DAY } from '../values/time.ts';
import { contactEvents, firstTimes, leadEvents } from './make-events.ts';
import { chance, nameOf, pick, randomInt, type Source, tagsOf, toTimestamp } from './make-fixtures.ts';
import type { NewContentRow, PastEvent } from './queries.ts';

/** Probabilities of the next status, in percent. Otherwise the lead keeps its status. */
const NEXT = {
  new: { contacted: 78, lost: 10 },
  contacted: { qualified: 62, lost: 22 },
  qualified: { won: 58, lost: 22 },
  won: {},
  lost: {},
} as const satisfies Record<LeadRow['status'], Partial<Record<LeadRow['status'], number>>>;

/** Percent of the leads whose source is described, and the descriptions. */
const DETAILED_RATE = 60;
const SOURCE_DETAILS = {
  api: ['Partner portal', 'Mobile app'],
  website: ['Google Ads, spring', 'Newsletter', 'Organic search'],
  referral: ['Trade show Berlin', 'Trade show Lyon', 'Customer'],
  manual: ['Phone call', 'Business card'],
} as const satisfies Record<LeadRow['source'], readonly string[]>;

const LOST_REASONS = ['No budget', 'Chose a competitor', 'No answer', 'Wrong time', 'Not a fit'];
/** Percent of the won leads that are converted to a contact. */
const CONVERSION_RATE = 85;
const MAX_DAYS_IN_STATUS = 14;
/** Percent of the leads with a value, and of the leads with an expected closing day. */
const VALUED_RATE = 80;
const MAX_DAYS_TO_CLOSE = 150;
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'GBP'];

/** Valid numbers that are kept for fiction, so that nobody has them. */
const PHONES = [
  ...['+442079460###', '+441614960###', '+441314960###', '+441174960###'],
  ...['+121255501##', '+141555501##', '+161755501##', '+131255501##'],
];

/** The records that leads refer to. */
interface Fixtures {
  users: readonly UserRow[];
  content: readonly NewContentRow[];
  requestId: string;
}

interface Batch {
  contacts: ContactRow[];
  leads: LeadRow[];
  changes: LeadStatusChangeRow[];
  events: PastEvent[];
}

/** Makes the leads with the numbers `first` to `last` of `count`, oldest first, and the contacts of converted ones. */
export function makeLeads(
  source: Source,
  fixtures: Fixtures,
  { first, last, count }: { first: number; last: number; count: number },
): Batch {
  const batch: Batch = { contacts: [], leads: [], changes: [], events: [] };
  const step = (source.end - source.begin) / count;
  for (let number = first; number <= last; number += 1) {
    const latest = source.begin + Math.floor(number * step);
    const created = randomInt(source, Math.ceil(latest - step), latest);
    const { lead: made, changes } = makeLead(source, fixtures, number, created);
    const isConverted = made.status === 'won' && chance(source, CONVERSION_RATE);
    const contacts = isConverted ? [contactOf(made)] : [];
    const lead = { ...made, contact_id: contacts[0]?.id ?? null };
    batch.contacts.push(...contacts);
    batch.leads.push(lead);
    batch.changes.push(...changes);
    batch.events.push(...contacts.flatMap(contactEvents), ...leadEvents(lead, changes));
  }
  return batch;
}

function makeLead(source: Source, { users, content, requestId }: Fixtures, number: number, created: number) {
  const { fake, seed } = source;
  const id = newUuid();
  const path = makePath(source, created);
  const changes = path.map(({ status, at }, index) => ({
    lead_id: id,
    from_status: path[index - 1]?.status ?? null,
    to_status: status,
    changed_at: toTimestamp(at),
    ...actorColumns(system),
    request_id: requestId,
  }));
  const { status, at } = path.at(-1) ?? { status: 'new', at: created };
  const seen = pick(source, content);
  const lead: LeadRow = {
    id,
    ...nameOf(source, number),
    phone: chance(source, 70) ? fake.helpers.replaceSymbols(pick(source, PHONES)) : null,
    status,
    ...originOf(source),
    company: chance(source, 85) ? fake.company.name() : null,
    tags: tagsOf(source),
    assigned_user_id: chance(source, 85) ? pick(source, users).id : null,
    content_id: wasPublic(seen, created) ? seen.id : null,
    contact_id: null,
    external_id: chance(source, 40) ? `seed-${seed}-${number}` : null,
    lost_reason: status === 'lost' ? pick(source, LOST_REASONS) : null,
    ...dealOf(source, created),
    metadata: { plan: pick(source, ['free', 'team', 'enterprise']) },
    status_changed_at: toTimestamp(at),
    ...firstTimes(changes),
    created_at: toTimestamp(created),
    updated_at: toTimestamp(at),
    version: path.length,
  };
  return { lead, changes };
}

function originOf(source: Source): Pick<LeadRow, 'source' | 'source_detail'> {
  const origin = pick(source, ['website', 'website', 'website', 'api', 'referral', 'manual'] as const);
  const isDetailed = chance(source, DETAILED_RATE);
  return { source: origin, source_detail: isDetailed ? pick(source, SOURCE_DETAILS[origin]) : null };
}

/** The lead's value and expected closing day. */
function dealOf(
  source: Source,
  created: number,
): Pick<LeadRow, 'value_amount' | 'value_currency' | 'expected_close_on'> {
  const isValued = chance(source, VALUED_RATE);
  const expected = created + randomInt(source, 14, MAX_DAYS_TO_CLOSE) * DAY;
  return {
    value_amount: isValued ? `${randomInt(source, 5, 400) * 50}.00` : null,
    value_currency: isValued ? pick(source, CURRENCIES) : null,
    expected_close_on: chance(source, VALUED_RATE) ? toTimestamp(expected).slice(0, 10) : null,
  };
}

/** The statuses that a lead entered up to the end of the period. */
function makePath(source: Source, created: number): { status: LeadRow['status']; at: number }[] {
  const path: { status: LeadRow['status']; at: number }[] = [{ status: 'new', at: created }];
  for (let now = path[0]; now !== undefined; now = path.at(-1)) {
    let dice = source.fake.number.int({ min: 1, max: 100 });
    const at = now.at + randomInt(source, 1, MAX_DAYS_IN_STATUS * DAY);
    const next = Object.entries(NEXT[now.status]).find(([, percent]) => {
      dice -= percent;
      return dice <= 0;
    });
    if (next === undefined || at > source.end) break;
    path.push({ status: next[0] as LeadRow['status'], at });
  }
  return path;
}

function wasPublic({ published_at, archived_at }: NewContentRow, at: number): boolean {
  const now = toTimestamp(at);
  return published_at !== null && published_at <= now && (archived_at === null || now < archived_at);
}

/** The contact that a conversion creates, at the time the lead was won. */
function contactOf({ name, email, phone, company, tags, assigned_user_id, updated_at }: LeadRow): ContactRow {
  return {
    ...{ id: newUuid(), name, email, phone, company, title: null, tags, assigned_user_id },
    external_id: null,
    metadata: {},
    created_at: updated_at,
    updated_at,
    version: 1,
  };
}
