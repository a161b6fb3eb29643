import type { GivenField, Warning } from '../../spellings/read-fields.ts';
import { isObject } from '../../values/exact-json.ts';
import { isMoney } from '../../values/money.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow, Mapping } from '../tables.ts';
import { mappingFor } from './default-mapping.ts';
import { createEffort, TooMuchEffort } from './effort.ts';
import { evaluate, toText } from './evaluate-rule.ts';

/** Steps that the JSONPaths of a mapping may take for a delivery. Ten fields of a payload of 10,000 values take half. */
const MAX_STEPS = 100_000;

/** Members of lists that are read for a field. Reading one may take 30 µs. */
const MAX_MEMBERS = 200;

/** Fields that get all members of a list as one text. Others get the first that is filled. */
const isText = (field: string) => field === 'note' || field.startsWith('metadata.');

interface MappedFields {
  given: GivenField[];
  /** Why paths gave nothing. */
  warnings: Warning[];
}

/** Finds the fields of a lead in a payload, as the mapping says. Does not read their values. */
export function givenFields(mapping: Mapping, read: Read): MappedFields {
  const effort = createEffort(MAX_STEPS);
  const given: GivenField[] = [];
  const warnings: Warning[] = [];
  for (const [field, rule] of inOrder(mapping)) {
    try {
      const all = evaluate(rule, read, effort).flatMap((value) => (isText(field) ? toText(value) : value));
      const values = all.slice(0, MAX_MEMBERS);
      if (all.length > MAX_MEMBERS) warnings.push({ field, message: TOO_MANY_MEMBERS, value: '' });
      const isReadable = (value: unknown) => !isObject(value) || (field === 'value.amount' && isMoney(value));
      const objects = values.filter((value) => !isReadable(value));
      if (objects.length > 0) warnings.push({ field, message: NO_TEXT, value: toText(objects) });
      for (const value of values) if (isReadable(value)) given.push({ field, value });
    } catch (error) {
      // A deep recursion within a query ends as too much effort, too.
      if (!(error instanceof TooMuchEffort || error instanceof RangeError)) throw error;
      warnings.push({ field, message: TOO_MANY_STEPS, value: '' });
    }
  }
  return { given, warnings };
}

/** What a lead needs comes first, so that another field's path can't take its steps. */
function inOrder(mapping: Mapping): [string, Mapping[string]][] {
  const isNeeded = ([field]: [string, unknown]) => field === 'email' || /^name\b/.test(field);
  const entries = Object.entries(mapping);
  return [...entries.filter(isNeeded), ...entries.filter((entry) => !isNeeded(entry))];
}

const NO_TEXT = 'The path leads to an object. It must lead to a text or a list of texts.';
const TOO_MANY_MEMBERS = `Only the first ${MAX_MEMBERS} members of the list were looked at.`;
const TOO_MANY_STEPS = 'The path was given up, because it takes too many steps for this data.';

/** The texts that the hook takes for email addresses. */
export function mappedEmails(hook: Pick<InboundHookRow, 'mapping' | 'honeypot'>, read: Read): unknown[] {
  const rules = Object.entries(mappingFor(hook, read)).filter(([field]) =>
    /^(?:email|other_emails)$/.test(field),
  );
  return givenFields(Object.fromEntries(rules), read).given.map(({ value }) => value);
}
