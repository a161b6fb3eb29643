import type { Warning } from '../../spellings/read-fields.ts';
import type { Read } from '../receiving/body/read-body.ts';
import type { InboundHookRow, Mapping } from '../tables.ts';
import { extendsDefault, usedPointers } from './default-mapping.ts';
import { leavesOf } from './leaves.ts';

/** Parameters by which ads and campaigns are recognized. */
const CAMPAIGN = /^(?:utm_[a-z_]{1,30}|gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|li_fat_id)$/;

interface Unmapped {
  /** Campaign parameters, which become metadata. */
  metadata: Record<string, string>;
  /** All other values, which become lines of the note. */
  warnings: Warning[];
}

/**
 * What a payload says that `mapping` has no field for. Nothing, if the hook's own mapping isn't the default one: then somebody
 * has decided what counts.
 */
export function findUnmapped(
  hook: Pick<InboundHookRow, 'mapping' | 'honeypot'>,
  mapping: Mapping,
  read: Read,
): Unmapped {
  const metadata: Record<string, string> = {};
  const warnings: Warning[] = [];
  if (!extendsDefault(hook.mapping)) return { metadata, warnings };
  for (const { names, text } of leavesOf(hook, read, usedPointers(mapping, read))) {
    const key = names.at(-1)?.toLowerCase() ?? '';
    if (CAMPAIGN.test(key)) metadata[key] = text;
    else warnings.push({ field: names.join('.'), message: NOT_MAPPED, value: text });
  }
  return { metadata, warnings };
}

const NOT_MAPPED = 'The mapping has no field for this, so the note has it.';
