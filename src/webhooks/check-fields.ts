import type { OperationContext, Schema } from '../operation.ts';
import { invalidField } from '../problem.ts';
import { checkUrl } from './target.ts';

/** Validates what the contract's schema can't express. Throws 422. */
export function checkFields(
  { url, event_types: eventTypes, retry_schedule: retrySchedule }: Schema<'UpdateWebhook'>,
  { environment, targetRules }: Pick<OperationContext, 'environment' | 'targetRules'>,
): void {
  const fault = url === undefined ? undefined : checkUrl(url, targetRules);
  if (fault !== undefined) throw invalidField('url', fault);
  if (retrySchedule === 'fast' && environment === 'production') {
    throw invalidField('retry_schedule', 'can be fast in the sandbox only');
  }
  if (eventTypes?.includes('*') && eventTypes.some((type) => type !== '*')) {
    throw invalidField('event_types', 'must be either ["*"] or a list of event types');
  }
}
