/** Deterministic rows for bench:scale that look like three years of a sales team's work. */
import { newUuid } from '../../src/values/id.ts';

const DAY = 86_400_000;
const DAYS = 1_095;

export const COMMON_WORD = 'commonwealth';
export const RARE_WORD = 'raritan';
const RARE_HITS = 200;
export const COMMON_TAG = 'vip';
export const RARE_TAG = 'keynote';
/** Options of the indexed key `plan`. */
export const PLANS = ['free', 'gold', 'silver'];
/** Every nth lead has the rare tag, and every fourth or so the common one. */
const RARE_TAG_INTERVAL = 100_000;
/** Every nth company has the common word. */
const COMMON_INTERVAL = 20;

const SOURCES = ['website', 'website', 'website', 'api', 'referral', 'manual'];
const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'ke',
  'li',
  'mo',
  'nu',
  'pa',
  're',
  'si',
  'to',
  'vu',
  'za',
];
const PATHS = [
  ['new'],
  ['new', 'contacted'],
  ['new', 'contacted', 'qualified'],
  ['new', 'contacted', 'qualified', 'won'],
  ['new', 'contacted', 'lost'],
  ['new', 'lost'],
];

const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'GBP'];

export interface Fixtures {
  users: readonly string[];
  content: readonly string[];
}

/** Lines of COPY's text format. */
interface Lines {
  leads: string;
  changes: string;
}

export const leadColumns =
  'id, name, email, company, status, source, tags, assigned_user_id, content_id, status_changed_at, created_at, updated_at, ' +
  'version, metadata, new_at, contacted_at, qualified_at, won_at, lost_at, value_amount, value_currency, expected_close_on, sales_cycle_id';
export const changeColumns =
  'lead_id, from_status, to_status, changed_at, actor_type, request_id, seconds, sales_cycle_id';

/** A word that only the lead with this number contains. */
export function uniqueWord(index: number): string {
  return `unique${String(index).padStart(9, '0')}`;
}

/** The leads with the numbers `from` to `to` (exclusive) of `count`, oldest first, and their status changes. */
export function linesOf(from: number, to: number, count: number, end: number, fixtures: Fixtures): Lines {
  const lines: Lines = { leads: '', changes: '' };
  for (let index = from; index < to; index += 1) {
    const created = end - Math.floor(((count - index) * DAYS * DAY) / count);
    const id = uuidAt(created);
    const entered = pathOf(index, created, end);
    for (const [step, { status, at }] of entered.entries()) {
      const before = entered[step - 1];
      const seconds = before === undefined ? '\\N' : Math.floor((at - before.at) / 1000);
      lines.changes += `${id}\t${before?.status ?? '\\N'}\t${status}\t${iso(at)}\tsystem\tbench-scale\t${seconds}\t${id}\n`;
    }
    const first = (...statuses: string[]) => {
      const entry = entered.find(({ status }) => statuses.includes(status));
      return entry === undefined ? '\\N' : iso(entry.at);
    };
    const last = entered.at(-1) ?? { status: 'new', at: created };
    const assignee =
      pick(index, 2, 100) < 85 ? fixtures.users[pick(index, 3, fixtures.users.length)] : undefined;
    const content =
      pick(index, 4, 100) < 60 ? fixtures.content[pick(index, 5, fixtures.content.length)] : undefined;
    const fields = [
      id,
      `${word(index, 6)} ${word(index, 7)} ${uniqueWord(index)}`,
      `${word(index, 6)}.${index}@example.com`,
      companyOf(index, count),
      last.status,
      SOURCES[pick(index, 8, SOURCES.length)],
      tagsOf(index),
      assignee ?? '\\N',
      content ?? '\\N',
      iso(last.at),
      iso(created),
      iso(last.at),
      entered.length,
      metadataOf(index, created),
      iso(created),
      first('contacted', 'qualified', 'won'),
      first('qualified', 'won'),
      first('won'),
      first('lost'),
      ...dealOf(index, created),
      // Any id does, and this one is at hand.
      id,
    ];
    lines.leads += `${fields.join('\t')}\n`;
  }
  return lines;
}

/** The statuses that the lead entered up to `end`, and when. */
function pathOf(index: number, created: number, end: number): { status: string; at: number }[] {
  let at = created;
  const path = PATHS[pick(index, 1, PATHS.length)] ?? [];
  return path
    .map((status, step) => {
      if (step > 0) at += pick(index, 10 + step, 10 * DAY);
      return { status, at };
    })
    .filter((entry) => entry.at <= end);
}

/** The value and the expected close: of every fifth lead neither. */
function dealOf(index: number, created: number): string[] {
  if (pick(index, 13, 5) === 0) return ['\\N', '\\N', '\\N'];
  const amount = `${pick(index, 14, 1_000_000)}.${10 + pick(index, 15, 90)}`;
  const currency = CURRENCIES[pick(index, 16, CURRENCIES.length)] ?? 'EUR';
  return [amount, currency, iso(created + pick(index, 17, 150) * DAY).slice(0, 10)];
}

/** Values of three indexed keys, which every tenth lead lacks. */
function metadataOf(index: number, created: number): string {
  if (pick(index, 18, 10) === 0) return '{}';
  const due = iso(created + pick(index, 19, 365) * DAY).slice(0, 10);
  return JSON.stringify({
    score: pick(index, 20, 10_001) / 100,
    plan: PLANS[pick(index, 21, PLANS.length)],
    due,
  });
}

function tagsOf(index: number): string {
  if (index % RARE_TAG_INTERVAL === 0) return `{${RARE_TAG}}`;
  return pick(index, 9, 4) === 0 ? `{${COMMON_TAG},newsletter}` : '{}';
}

function companyOf(index: number, count: number): string {
  const rareEach = Math.floor(count / RARE_HITS);
  if (index % rareEach === rareEach - 1 && index < rareEach * RARE_HITS) return `${RARE_WORD} Ltd`;
  return index % COMMON_INTERVAL === 0
    ? `${COMMON_WORD} ${word(index, 11)}`
    : `${word(index, 11)} ${word(index, 12)} Inc`;
}

/** A pseudo-random word, one of 4,096. */
function word(index: number, salt: number): string {
  const number = pick(index, salt, SYLLABLES.length ** 3);
  return [number & 15, (number >> 4) & 15, number >> 8].map((syllable) => SYLLABLES[syllable]).join('');
}

/** A pseudo-random integer from 0 to `limit` (exclusive), determined by index and salt. */
function pick(index: number, salt: number, limit: number): number {
  let hash = Math.imul(index ^ (salt * 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % limit;
}

/** A UUIDv7 (RFC 9562) with this timestamp. */
function uuidAt(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${newUuid().slice(13)}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
