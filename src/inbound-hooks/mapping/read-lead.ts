import type { Declared } from '../../metadata/declared.ts';
import type { OperationContext } from '../../operation.ts';
import { readFields, type Warning } from '../../spellings/read-fields.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow } from '../tables.ts';
import { mappingFor } from './default-mapping.ts';
import { givenFields } from './given-fields.ts';
import { findUnmapped } from './unmapped.ts';

/** What a payload says about a lead, before the contract and the rules have checked it. */
export interface LeadReading {
  fields: Record<string, unknown>;
  /** The sender's message. */
  message: string;
  /** Whether the name is only the beginning of the email address. */
  isNameMadeUp: boolean;
  warnings: Warning[];
}

/** Finds and reads the fields of a lead. What can't be read is left out with a warning. */
export function readLead(
  hook: InboundHookRow,
  read: Read,
  { defaultCountry, declared }: Pick<OperationContext, 'defaultCountry'> & { declared: Declared },
): LeadReading {
  const mapping = mappingFor(hook, read);
  const { given, warnings: found } = givenFields(mapping, read);
  const unmapped = findUnmapped(hook, mapping, read);
  const campaign = Object.entries(unmapped.metadata).map(([key, value]) => ({
    field: `metadata.${key}`,
    value,
  }));
  const { body, warnings } = readFields([...given, ...campaign], {
    resource: 'leads',
    country: hook.default_country ?? defaultCountry,
    locale: hook.locale ?? undefined,
    values: hook.values,
    declared,
  });
  const { note, tags, ...fields } = body as { note?: string; tags?: string[]; name?: string; email?: string };
  const madeUp = fields.name === undefined ? fields.email?.split('@')[0] : undefined;
  return {
    fields: {
      source: hook.lead_source,
      ...fields,
      ...(madeUp !== undefined && { name: madeUp }),
      tags: [...new Set([...hook.default_tags, ...(tags ?? [])])],
    },
    message: note ?? '',
    isNameMadeUp: madeUp !== undefined,
    warnings: [
      ...read.remarks,
      ...found,
      ...warnings,
      ...unmapped.warnings,
      ...(madeUp ? [NAME_MADE_UP] : []),
    ],
  };
}

const NAME_MADE_UP: Warning = {
  field: 'name',
  message: 'The data has no name, so the lead is called by the beginning of its email address.',
  value: '',
};
