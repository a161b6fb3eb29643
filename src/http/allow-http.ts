import type { Document } from './contract.ts';

/**
 * The contract for a service that lets webhooks point to this machine (WEBHOOK_ALLOW_PRIVATE), where plain HTTP passes
 * too. What is served to clients stays the same: it is what every other service of this contract takes.
 */
export function allowHttp(document: Document): Document {
  const changed = structuredClone(document);
  const url = changed.components?.schemas?.WebhookUrl as Record<string, unknown>;
  url.pattern = String(url.pattern).replace('https:', 'https?:');
  url['x-message'] = String(url['x-message']).replace('an https URL', 'an http or https URL');
  return changed;
}
