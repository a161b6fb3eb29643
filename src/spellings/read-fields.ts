import { createDraft } from './draft.ts';
import type { FieldOptions, GivenField, Warning } from './given.ts';
import { readMetadata } from './read-metadata.ts';
import { readPerson } from './read-person.ts';
import { readPlain } from './read-plain.ts';
import { readValue } from './read-value.ts';
import { translate } from './translate.ts';

export type { FieldOptions, GivenField, Translation, Values, Warning } from './given.ts';

/**
 * The one way from given texts to the body of a lead, a contact or another resource, for hooks and imports alike. Of several
 * texts for a field, the first that can be read wins; tags are united. What can't be read is left out with a warning, but for
 * fields that the resource requires: they stay as given, and the validation says what is wrong. Never throws.
 */
export function readFields(
  given: readonly GivenField[],
  options: FieldOptions,
): { body: Record<string, unknown>; warnings: Warning[] } {
  const draft = createDraft(translate(given, options.values), options);
  readPerson(draft);
  readPlain(draft);
  readValue(draft);
  readMetadata(draft);
  return { body: Object.fromEntries(draft.body), warnings: draft.warnings };
}
