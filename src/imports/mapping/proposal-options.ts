import type { Schema } from '../../operation.ts';

/** The options of an import that a proposed mapping depends on. */
export interface ProposalOptions {
  match: Schema<'ImportMatch'>;
  on_duplicate: Schema<'ImportOnDuplicate'>;
  /** Columns that the client has mapped. An empty text or null leaves a column out. */
  mapping?: Schema<'ImportMapping'> | undefined;
  defaults?: Schema<'ImportDefaults'> | undefined;
  values?: Schema<'ImportValues'> | undefined;
  locale?: string | null | undefined;
}
