import { contactRules } from '../contacts/contact-rules.ts';
import type { ContactRow } from '../contacts/tables.ts';
import type { RowValues } from '../db/row-statements.ts';
import { leadImportRules } from '../leads/import-rules.ts';
import type { LeadRow, LeadStatus } from '../leads/tables.ts';
import type { Schema } from '../operation.ts';
import type { UserRow } from '../users/tables.ts';
import { toNullableId } from '../values/id.ts';
import { DAY } from '../values/time.ts';
import { type NewContentRow, nameOf, type Source, tagsOf, toTimestamp } from './make-fixtures.ts';
import { lastNames, trades } from './words.ts';

/** Probabilities of the next status, in percent. Otherwise the lead keeps its status. */
const NEXT = {
  new: { contacted: 78, lost: 10 },
  contacted: { qualified: 62, lost: 22 },
  qualified: { won: 58, lost: 22 },
  won: {},
  lost: {},
} as const satisfies Record<LeadStatus, Partial<Record<LeadStatus, number>>>;

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
}

interface Batch {
  contacts: ContactRow[];
  leads: (RowValues<LeadRow> & { id: string })[];
}

/** Makes the leads with the numbers `first` to `last` of `count`, oldest first, and the contacts of converted ones. */
export function makeLeads(
  source: Source,
  fixtures: Fixtures,
  { first, last, count }: { first: number; last: number; count: number },
): Batch {
  const batch: Batch = { contacts: [], leads: [] };
  const step = (source.end - source.begin) / count;
  for (let number = first; number <= last; number += 1) {
    const latest = source.begin + Math.floor(number * step);
    const created = source.random.int(Math.ceil(latest - step), latest);
    const { fields, owner, seen, at, changes } = makeLead(source, fixtures, number, created);
    const isConverted = fields.status === 'won' && source.random.chance(CONVERSION_RATE);
    const contact = isConverted ? contactOf(fields, owner, at) : undefined;
    const references = {
      assigned_user_id: owner?.id ?? null,
      content_id: seen,
      contact_id: contact?.id ?? null,
    };
    const row = leadImportRules.toRow(fields, () => references);
    if (contact !== undefined) batch.contacts.push(contact);
    batch.leads.push({ ...row, updated_at: at, version: changes });
  }
  return batch;
}

type Fields = Parameters<typeof leadImportRules.toRow>[0];

function makeLead(source: Source, { users, content }: Fixtures, number: number, created: number) {
  const { random, seed } = source;
  const path = makePath(source, created);
  const { status, at } = path.at(-1) ?? { status: 'new' as LeadStatus, at: created };
  const reached = path.slice(1).map(({ status, at }) => [`first_${status}_at`, toTimestamp(at)]);
  const seen = random.pick(content);
  const fields: Fields = {
    ...nameOf(source, number),
    phone: random.chance(70) ? random.digits(random.pick(PHONES)) : null,
    status,
    ...originOf(source),
    company: random.chance(85) ? `${random.pick(lastNames)} ${random.pick(trades)}` : null,
    tags: tagsOf(source),
    external_id: random.chance(40) ? `seed-${seed}-${number}` : null,
    lost_reason: status === 'lost' ? random.pick(LOST_REASONS) : null,
    ...dealOf(source, created),
    metadata: { plan: random.pick(['free', 'team', 'enterprise']) },
    created_at: toTimestamp(created),
    ...Object.fromEntries(reached),
  };
  return {
    fields,
    owner: random.chance(85) ? random.pick(users) : undefined,
    seen: wasPublic(seen, created) ? seen.id : null,
    at: toTimestamp(at),
    changes: path.length,
  };
}

function originOf({ random }: Source): Pick<Fields, 'source' | 'source_detail'> {
  const source = random.pick(['website', 'website', 'website', 'api', 'referral', 'manual'] as const);
  return {
    source,
    source_detail: random.chance(DETAILED_RATE) ? random.pick<string>(SOURCE_DETAILS[source]) : null,
  };
}

/** The lead's value and expected closing day. */
function dealOf({ random }: Source, created: number): Pick<Fields, 'value' | 'expected_close_on'> {
  const expected = created + random.int(14, MAX_DAYS_TO_CLOSE) * DAY;
  return {
    ...(random.chance(VALUED_RATE) && {
      value: { amount: `${random.int(5, 400) * 50}`, currency: random.pick(CURRENCIES) },
    }),
    expected_close_on: random.chance(VALUED_RATE) ? toTimestamp(expected).slice(0, 10) : null,
  };
}

/** The statuses that a lead entered up to the end of the period. */
function makePath({ random, end }: Source, created: number): { status: LeadStatus; at: number }[] {
  const path: { status: LeadStatus; at: number }[] = [{ status: 'new', at: created }];
  for (let now = path[0]; now !== undefined; now = path.at(-1)) {
    let dice = random.int(1, 100);
    const at = now.at + random.int(1, MAX_DAYS_IN_STATUS * DAY);
    const next = Object.entries(NEXT[now.status]).find(([, percent]) => {
      dice -= percent;
      return dice <= 0;
    });
    if (next === undefined || at > end) break;
    path.push({ status: next[0] as LeadStatus, at });
  }
  return path;
}

function wasPublic({ published_at, archived_at }: NewContentRow, at: number): boolean {
  const now = toTimestamp(at);
  return published_at !== null && published_at <= now && (archived_at === null || now < archived_at);
}

/** The contact that a conversion creates, at the time the lead was won. */
function contactOf(
  { name, email, phone, company, tags }: Fields,
  owner: UserRow | undefined,
  at: string,
): ContactRow {
  const assigned_user_id = toNullableId('user', owner?.id ?? null);
  const fields = { name, email, phone, company, tags, assigned_user_id, metadata: {} };
  const row = contactRules.toRow(fields as Schema<'CreateContact'>, new Set(owner && [owner.id]));
  return { ...row, created_at: at, updated_at: at, version: 1 } as ContactRow;
}
