import type { Document } from '../http/validation/contract.ts';

/**
 * The contract with plain HTTP allowed in webhook URLs, for WEBHOOK_ALLOW_PRIVATE. Used for validation only: the
 * document served to clients is the same on every service.
 */
export function allowHttp(document: Document): Document {
  const changed = structuredClone(document);
  const url = changed.components?.schemas?.WebhookUrl as Record<string, unknown>;
  url.pattern = String(url.pattern).replace('https:', 'https?:');
  url['x-message'] = String(url['x-message']).replace('an https URL', 'an http or https URL');
  return changed;
}
