import { getAnalyticsContent } from './analytics/get-analytics-content.ts';
import { getAnalyticsForecast } from './analytics/get-analytics-forecast.ts';
import { getAnalyticsFunnel } from './analytics/get-analytics-funnel.ts';
import { getAnalyticsPipeline } from './analytics/get-analytics-pipeline.ts';
import { getAnalyticsSources } from './analytics/get-analytics-sources.ts';
import { getAnalyticsSummary } from './analytics/get-analytics-summary.ts';
import { getAnalyticsTimeInStatus } from './analytics/get-analytics-time-in-status.ts';
import { getAnalyticsTimeseries } from './analytics/get-analytics-timeseries.ts';
import { getAnalyticsUsers } from './analytics/get-analytics-users.ts';
import { listAuditLog } from './audit-log/list-audit-log.ts';
import { createToken } from './auth/create-token.ts';
import { getCurrentClient } from './auth/get-current-client.ts';
import { getJwks } from './auth/get-jwks.ts';
import { revokeToken } from './auth/revoke-token.ts';
import { createApiKey } from './clients/create-api-key.ts';
import { createClient } from './clients/create-client.ts';
import { disableClient } from './clients/disable-client.ts';
import { enableClient } from './clients/enable-client.ts';
import { getApiKey } from './clients/get-api-key.ts';
import { getClient } from './clients/get-client.ts';
import { listApiKeys } from './clients/list-api-keys.ts';
import { listClients } from './clients/list-clients.ts';
import { revokeApiKey } from './clients/revoke-api-key.ts';
import { rotateClientSecret } from './clients/rotate-client-secret.ts';
import { contactRules } from './contacts/contact-rules.ts';
import { createContact } from './contacts/create-contact.ts';
import { deleteContact } from './contacts/delete-contact.ts';
import { exportContacts } from './contacts/export-contacts.ts';
import { getContact } from './contacts/get-contact.ts';
import { listContacts } from './contacts/list-contacts.ts';
import { contacts } from './contacts/queries.ts';
import { updateContact } from './contacts/update-contact.ts';
import { upsertContact } from './contacts/upsert-contact.ts';
import { archiveContent } from './content/archive-content.ts';
import { createContent } from './content/create-content.ts';
import { deleteContent } from './content/delete-content.ts';
import { getContent } from './content/get-content.ts';
import { listContent } from './content/list-content.ts';
import { publishContent } from './content/publish-content.ts';
import { unpublishContent } from './content/unpublish-content.ts';
import { updateContent } from './content/update-content.ts';
import { getEvent } from './events/get-event.ts';
import { listEventTypes } from './events/list-event-types.ts';
import { listEvents } from './events/list-events.ts';
import { cancelImport } from './imports/cancel-import.ts';
import { createImport } from './imports/create-import.ts';
import { getImport } from './imports/get-import.ts';
import { listImportErrors } from './imports/list-import-errors.ts';
import { listImports } from './imports/list-imports.ts';
import { startImport } from './imports/start-import.ts';
import { createInboundHook } from './inbound-hooks/create-inbound-hook.ts';
import { deleteInboundHook } from './inbound-hooks/delete-inbound-hook.ts';
import { getInboundDelivery } from './inbound-hooks/get-inbound-delivery.ts';
import { getInboundHook } from './inbound-hooks/get-inbound-hook.ts';
import { listInboundDeliveries } from './inbound-hooks/list-inbound-deliveries.ts';
import { listInboundHooks } from './inbound-hooks/list-inbound-hooks.ts';
import { previewInboundHook } from './inbound-hooks/preview-inbound-hook.ts';
import { receiveInboundDelivery } from './inbound-hooks/receive-inbound-delivery.ts';
import { replayInboundDelivery } from './inbound-hooks/replay-inbound-delivery.ts';
import { rotateInboundHookUrl } from './inbound-hooks/rotate-inbound-hook-url.ts';
import { updateInboundHook } from './inbound-hooks/update-inbound-hook.ts';
import { convertLead } from './leads/convert-lead.ts';
import { createLead } from './leads/create-lead.ts';
import { deleteLead } from './leads/delete-lead.ts';
import { exportLeads } from './leads/export-leads.ts';
import { getLead } from './leads/get-lead.ts';
import { leadRules } from './leads/lead-rules.ts';
import { listLeadEvents } from './leads/list-lead-events.ts';
import { listLeads } from './leads/list-leads.ts';
import { leads } from './leads/queries.ts';
import { updateLead } from './leads/update-lead.ts';
import { upsertLead } from './leads/upsert-lead.ts';
import type { Handlers } from './operation.ts';
import { batchDelete } from './resource/batches/batch-delete.ts';
import { batchRead } from './resource/batches/batch-read.ts';
import { batchCreate, batchUpdate, batchUpsert } from './resource/batches/batch-write.ts';
import { createNote } from './resource/notes/create-note.ts';
import { deleteNote } from './resource/notes/delete-note.ts';
import { getNote } from './resource/notes/get-note.ts';
import { listNotes } from './resource/notes/list-notes.ts';
import { updateNote } from './resource/notes/update-note.ts';
import { resetSandbox } from './sandbox/reset-sandbox.ts';
import { seedSandbox } from './sandbox/seed-sandbox.ts';
import { createUser } from './users/create-user.ts';
import { deleteUser } from './users/delete-user.ts';
import { getUser } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';
import { updateUser } from './users/update-user.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { getWebhookDelivery } from './webhooks/get-webhook-delivery.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { redeliverWebhookDelivery } from './webhooks/redeliver-webhook-delivery.ts';
import { replayWebhook } from './webhooks/replay-webhook.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

export const handlers = {
  createToken,
  revokeToken,
  getCurrentClient,
  getJwks,
  batchCreateLeads: batchCreate(leadRules),
  batchUpsertLeads: batchUpsert(leadRules),
  batchUpdateLeads: batchUpdate(leadRules),
  batchDeleteLeads: batchDelete(leadRules),
  batchReadLeads: batchRead(leadRules),
  batchCreateContacts: batchCreate(contactRules),
  batchUpsertContacts: batchUpsert(contactRules),
  batchUpdateContacts: batchUpdate(contactRules),
  batchDeleteContacts: batchDelete(contactRules),
  batchReadContacts: batchRead(contactRules),
  listLeads,
  exportLeads,
  createLead,
  getLead,
  updateLead,
  upsertLead,
  listLeadNotes: listNotes(leads),
  createLeadNote: createNote(leads),
  getLeadNote: getNote(leads),
  updateLeadNote: updateNote(leads),
  deleteLeadNote: deleteNote(leads),
  deleteLead,
  convertLead,
  listLeadEvents,
  listContacts,
  exportContacts,
  createContact,
  getContact,
  updateContact,
  upsertContact,
  listContactNotes: listNotes(contacts),
  createContactNote: createNote(contacts),
  getContactNote: getNote(contacts),
  updateContactNote: updateNote(contacts),
  deleteContactNote: deleteNote(contacts),
  deleteContact,
  listContent,
  createContent,
  getContent,
  updateContent,
  deleteContent,
  publishContent,
  unpublishContent,
  archiveContent,
  listUsers,
  createUser,
  getUser,
  updateUser,
  deleteUser,
  listEvents,
  getEvent,
  listEventTypes,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhookDelivery,
  listInboundHooks,
  createInboundHook,
  getInboundHook,
  updateInboundHook,
  deleteInboundHook,
  rotateInboundHookUrl,
  previewInboundHook,
  listInboundDeliveries,
  getInboundDelivery,
  replayInboundDelivery,
  receiveInboundDelivery,
  getAnalyticsSummary,
  getAnalyticsFunnel,
  getAnalyticsPipeline,
  getAnalyticsForecast,
  getAnalyticsSources,
  getAnalyticsTimeseries,
  getAnalyticsTimeInStatus,
  getAnalyticsContent,
  getAnalyticsUsers,
  listImports,
  createImport,
  getImport,
  listImportErrors,
  startImport,
  cancelImport,
  listClients,
  createClient,
  getClient,
  rotateClientSecret,
  disableClient,
  enableClient,
  listApiKeys,
  createApiKey,
  getApiKey,
  revokeApiKey,
  listAuditLog,
  resetSandbox,
  seedSandbox,
} satisfies Handlers;
