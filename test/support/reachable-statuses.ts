/** The error statuses that an operation can return, derived from what it accepts. */
import { type Endpoint, takes } from './document.ts';

/** Those that the state of a resource may forbid. */
const conflicting = [
  ...[
    'convertLead',
    'reopenLead',
    'updateSalesCycle',
    'deleteContent',
    'deleteUser',
    'deleteUserByExternalId',
    'disableClient',
    'updateClient',
  ],
  ...[
    'createWebhook',
    'testWebhook',
    'redeliverWebhookDelivery',
    'createWebhookReplay',
    'cancelWebhookReplay',
  ],
  ...['createInboundHook', 'reprocessInboundDelivery', 'seedSandbox', 'cancelBulkJob'],
  ...['updateImport', 'startImport', 'cancelImport'],
];

export function reachableStatuses(endpoint: Endpoint): string[] {
  // Any request can have a URL that is too long or has an unknown query parameter, or too many headers, or come over
  // plain HTTP. Any request can announce a body that does not arrive, even if the operation takes none.
  const statuses = ['400', '403', '408', '414', '429', '431', '500', '503'];
  // Any Accept is allowed where a lead or a token would otherwise be lost.
  if (endpoint.security?.length !== 0) statuses.push('406');
  // Client credentials on /auth, a signature on /hooks.
  const ownCredentials = ['token', 'inbound'].includes(endpoint['x-rate-limit'] ?? '');
  const needsCredentials = endpoint.security?.length !== 0 || ownCredentials;
  if (needsCredentials) statuses.push('401');
  // An external id is created if it does not exist.
  const isUpsert = endpoint.method === 'patch' && endpoint.path.endsWith('{external_id}');
  if ((endpoint.path.includes('{') && !isUpsert) || endpoint['x-environments']) statuses.push('404');
  if (endpoint.requestBody) statuses.push('413', '415');
  // Without a body, the key may still have been used for another request, and the acting user may be unknown.
  const takesOthers = takes(endpoint, 'Idempotency-Key') || takes(endpoint, 'Acting-User');
  // A delivery that can't become a lead is kept.
  const takesAnything = endpoint.operationId === 'receiveInboundDelivery';
  // Not every text is an external id.
  const takesText = endpoint.path.includes('{external_id}');
  if ((endpoint.requestBody || takesOthers || takesText) && !takesAnything) statuses.push('422');
  // A browser goes on to another page.
  if (takesAnything) statuses.push('303');
  if (conflicting.includes(endpoint.operationId)) statuses.push('409');
  // Leads and contacts can be merged into others.
  const isMergeable = /^\/(leads|contacts)\/.*{/.test(endpoint.path);
  const namesMergeable = endpoint.path === '/notes';
  if (endpoint.path === '/events' || isMergeable || namesMergeable) statuses.push('410');
  if (takes(endpoint, 'If-Match')) statuses.push('412');
  if (takes(endpoint, 'If-None-Match') && endpoint.method === 'get') statuses.push('304');
  return statuses;
}
