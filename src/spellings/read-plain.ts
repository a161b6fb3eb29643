import { schemas } from '../../generated/limits.ts';
import { firstCharacters } from '../values/text.ts';
import { readCount, readSource, readStatus, readWord, readYesNo } from './choice.ts';
import { readDate, readInstant } from './date.ts';
import { type Draft, type GivenText, toText } from './draft.ts';
import { type Kind, kindOf } from './field-kinds.ts';
import type { Reading } from './reading.ts';
import { distinctTags, readTags } from './tags.ts';
import { isLonger } from './text.ts';

/** Fields that other files read. */
const READ_ELSEWHERE = /^(?:name|email|other_emails|phone|value|metadata)(?:\.|$)/;
const MAX_TAGS = schemas.Tags.maxItems;
const MAX_TAG_LENGTH = 50;
const MAX_STATUS = 500;
const MAX_SOURCE = 100;

/** Reads the fields that don't depend on others. */
export function readPlain(draft: Draft): void {
  for (const field of draft.fields()) {
    if (READ_ELSEWHERE.test(field)) continue;
    const read = readers[kindOf(draft.options.resource, field).kind] ?? readText;
    read(draft, field, draft.textsOf(field));
  }
  const { body } = draft;
  if (body.has('lost_reason') && body.get('status') !== 'lost') {
    draft.warn(
      'lost_reason',
      'Only leads with the status lost have a reason.',
      String(body.get('lost_reason')),
    );
    body.delete('lost_reason');
  }
}

type ReadField = (draft: Draft, field: string, given: readonly GivenText[]) => void;

const readers: Partial<Record<Kind, ReadField>> = {
  tags: readAllTags,
  note: readNote,
  status: (...args) => readChoice(...args, readStatus),
  source: (...args) => readChoice(...args, readSource),
  date: (draft, field, given) =>
    readFirst(draft, field, given, ({ text, dateOrder }) => readDate(text, draft.options.locale, dateOrder)),
  instant: (draft, field, given) =>
    readFirst(draft, field, given, ({ text, dateOrder }) =>
      readInstant(text, draft.options.locale, dateOrder),
    ),
  boolean: (draft, field, given) => readFirst(draft, field, given, ({ text }) => readYesNo(text)),
  choice: (draft, field, given) => {
    const { choices = [] } = kindOf(draft.options.resource, field);
    readFirst(draft, field, given, ({ text }) => readWord(text, choices));
  },
  count: (draft, field, given) => readFirst(draft, field, given, ({ text }) => readCount(text)),
};

/** The first text that can be read. */
function readFirst<T>(
  draft: Draft,
  field: string,
  given: readonly GivenText[],
  read: (given: GivenText) => Reading<T>,
): void {
  for (const entry of given) {
    const { value, warning } = read(entry);
    if (warning !== undefined) draft.warn(field, warning, entry.text);
    if (value === undefined) continue;
    draft.body.set(field, value);
    return;
  }
}

function readText(draft: Draft, field: string, given: readonly GivenText[]): void {
  const { maxLength = Number.POSITIVE_INFINITY, pattern } = kindOf(draft.options.resource, field);
  for (const { text } of given) {
    if (isLonger(text, maxLength)) {
      draft.keepAsNote(field, text, `The text has more than ${maxLength} characters.`);
    } else if (pattern !== undefined && !pattern.test(text)) {
      draft.warn(field, 'This is not an id of this service.', text);
    } else {
      draft.body.set(field, text);
      return;
    }
  }
}

/** A choice, and the given text where it says more: in `source_detail`, or in `metadata.original_status`. */
function readChoice(
  draft: Draft,
  field: string,
  given: readonly GivenText[],
  read: (text: string) => Reading<string> & { detail?: string },
): void {
  const readings = given.map(({ text }) => ({ text, ...read(text) }));
  const found = readings.find(({ value }) => value !== undefined) ?? readings[0];
  if (found === undefined) return;
  const { text, value, detail, warning } = found;
  if (value !== undefined) draft.body.set(field, value);
  if (warning !== undefined) draft.warn(field, warning, text);
  if (detail === undefined) return;
  if (field === 'status') draft.metadata.set('original_status', firstCharacters(detail, MAX_STATUS));
  else if (draft.textsOf('source_detail').length === 0) {
    draft.body.set('source_detail', firstCharacters(detail, MAX_SOURCE));
  }
}

function readAllTags(draft: Draft, field: string, given: readonly GivenText[]): void {
  const tags = distinctTags(
    given.flatMap(({ text, value }) =>
      Array.isArray(value) ? value.flatMap((tag) => toText(tag) ?? []) : (readTags(text).value ?? []),
    ),
  );
  const [short, long] = [false, true].map((wanted) =>
    tags.filter((tag) => isLonger(tag, MAX_TAG_LENGTH) === wanted),
  );
  const fitting = short?.slice(0, MAX_TAGS) ?? [];
  const surplus = short?.slice(MAX_TAGS) ?? [];
  if (fitting.length > 0) draft.body.set(field, fitting);
  if (long !== undefined && long.length > 0) {
    draft.warn(field, `A tag has at most ${MAX_TAG_LENGTH} characters.`, long.join(', '));
  }
  if (surplus.length > 0) draft.warn(field, `There can be at most ${MAX_TAGS} tags.`, surplus.join(', '));
}

function readNote(draft: Draft, _field: string, given: readonly GivenText[]): void {
  const before = draft.body.get('note');
  const texts = [...given.map(({ text }) => text), ...(before === undefined ? [] : [String(before)])];
  draft.body.set('note', texts.join('\n\n'));
}
