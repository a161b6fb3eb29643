import type { OperationContext } from '../../operation.ts';
import { readFields, type Warning } from '../../spellings/read-fields.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow } from '../tables.ts';
import { givenFields } from './given-fields.ts';

/** What a payload says about a lead, before the contract and the rules have checked it. */
export interface LeadReading {
  fields: Record<string, unknown>;
  /** The sender's message. */
  message: string;
  warnings: Warning[];
}

/** Finds and reads the fields of a lead. What can't be read is left out with a warning. */
export function readLead(
  hook: InboundHookRow,
  read: Read,
  { defaultCountry }: Pick<OperationContext, 'defaultCountry'>,
): LeadReading {
  const { given, warnings: found } = givenFields(hook.mapping, read);
  const { body, warnings } = readFields(given, {
    resource: 'leads',
    country: hook.default_country ?? defaultCountry,
    locale: hook.locale ?? undefined,
    values: hook.values,
  });
  const { note, tags, ...fields } = body as { note?: string; tags?: string[] };
  return {
    fields: {
      source: hook.lead_source,
      ...fields,
      tags: [...new Set([...hook.default_tags, ...(tags ?? [])])],
    },
    message: note ?? '',
    warnings: [...read.remarks, ...found, ...warnings],
  };
}
