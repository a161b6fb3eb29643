import { analyticsHandlers } from './analytics/handlers.ts';
import { toAuditLogEntry } from './audit-log/entry.ts';
import { auditLog, auditLogFilters } from './audit-log/queries.ts';
import { createToken } from './auth/create-token.ts';
import { getCurrentClient } from './auth/get-current-client.ts';
import { getJwks } from './auth/get-jwks.ts';
import { apiKeys } from './auth/queries.ts';
import { revokeToken } from './auth/revoke-token.ts';
import { cancelBulkJob } from './bulk-jobs/cancel-bulk-job.ts';
import { createBulkJob } from './bulk-jobs/create-bulk-job.ts';
import { requireToRead as requireToReadJob, toBulkJob } from './bulk-jobs/job.ts';
import { listBulkJobErrors, listBulkJobs } from './bulk-jobs/lists.ts';
import { bulkJobs } from './bulk-jobs/queries.ts';
import { reassign } from './bulk-jobs/reassign.ts';
import { toApiKey } from './clients/api-key.ts';
import { toClient } from './clients/client.ts';
import { createApiKey } from './clients/create-api-key.ts';
import { createClient } from './clients/create-client.ts';
import { disableClient } from './clients/disable-client.ts';
import { enableClient } from './clients/enable-client.ts';
import { getApiKey } from './clients/get-api-key.ts';
import { apiKeyFilters, clientFilters, clients } from './clients/queries.ts';
import { revokeApiKey } from './clients/revoke-api-key.ts';
import { rotateClientSecret } from './clients/rotate-client-secret.ts';
import { updateClient } from './clients/update-client.ts';
import { toContact } from './contacts/contact.ts';
import { contactRules } from './contacts/contact-rules.ts';
import { contactMerging } from './contacts/merge-contact.ts';
import { contactFilters, contacts } from './contacts/queries.ts';
import { toContent, toContentWithBody } from './content/content.ts';
import { contentRules } from './content/content-rules.ts';
import { deleteContent } from './content/delete-content.ts';
import { contentFilters, contents, listedContents } from './content/queries.ts';
import { archiveContent, publishContent, unpublishContent } from './content/set-status.ts';
import { filteredBy } from './db/list/filters.ts';
import { getEvent } from './events/get-event.ts';
import { listEventTypes } from './events/list-event-types.ts';
import { listEvents } from './events/list-events.ts';
import { cancelImport } from './imports/cancel-import.ts';
import { createImport } from './imports/create-import.ts';
import { exportRejectedRows } from './imports/export-rejected-rows.ts';
import { requireToRead as requireToReadImport, toImport } from './imports/import.ts';
import { listImportErrors, listImportRows, listImports } from './imports/lists.ts';
import { imports } from './imports/queries.ts';
import { startImport } from './imports/start-import.ts';
import { updateImport } from './imports/update-import.ts';
import { answerHookChallenge } from './inbound-hooks/answer-hook-challenge.ts';
import { createInboundHook } from './inbound-hooks/create-inbound-hook.ts';
import { deleteInboundHook } from './inbound-hooks/delete-inbound-hook.ts';
import { toInboundDelivery } from './inbound-hooks/delivery.ts';
import { getInboundDelivery } from './inbound-hooks/get-inbound-delivery.ts';
import { toInboundHook } from './inbound-hooks/inbound-hook.ts';
import { previewInboundHook } from './inbound-hooks/preview-inbound-hook.ts';
import { deliveries, deliveryFilters, hookFilters, hooks } from './inbound-hooks/queries.ts';
import { receiveInboundDelivery } from './inbound-hooks/receive-inbound-delivery.ts';
import { reprocessInboundDelivery } from './inbound-hooks/reprocess-inbound-delivery.ts';
import { rotateInboundHookUrl } from './inbound-hooks/rotate-inbound-hook-url.ts';
import { updateInboundHook } from './inbound-hooks/update-inbound-hook.ts';
import { conditionsOfLeads } from './leads/conditions.ts';
import { convertLead } from './leads/convert-lead.ts';
import { toLead } from './leads/lead.ts';
import { leadRules } from './leads/lead-rules.ts';
import { leadMerging } from './leads/merge-lead.ts';
import { leads } from './leads/queries.ts';
import { reopenLead } from './leads/reopen-lead.ts';
import { salesCycleFilters, salesCycles } from './leads/sales-cycles/queries.ts';
import { toSalesCycle } from './leads/sales-cycles/sales-cycle.ts';
import { toStatusChange } from './leads/status-change.ts';
import { statusChangeFilters, statusChanges } from './leads/status-change-queries.ts';
import { moveLeads, unlinkContacts } from './leads/unlink-contacts.ts';
import { createMetadataField } from './metadata-fields/create-metadata-field.ts';
import { getMetadataField, listMetadataFields } from './metadata-fields/read-metadata-fields.ts';
import { updateMetadataField } from './metadata-fields/update-metadata-field.ts';
import { addNote } from './notes/add-note.ts';
import { createNote } from './notes/create-note.ts';
import { deleteNote } from './notes/delete-note.ts';
import { getNote } from './notes/get-note.ts';
import { listNotes } from './notes/list-notes.ts';
import { moveNotes } from './notes/move-notes.ts';
import { updateNote } from './notes/update-note.ts';
import type { Handlers } from './operation.ts';
import { batchDelete } from './privacy/batch-delete.ts';
import { createErasure } from './privacy/create-erasure.ts';
import { deleteUser } from './privacy/delete-user.ts';
import { toErasure } from './privacy/erasure.ts';
import { getErasure } from './privacy/get-erasure.ts';
import { lookUpPerson } from './privacy/look-up-person.ts';
import { erasureFilters, erasures } from './privacy/queries.ts';
import { deleteByExternalId, deleteOne } from './privacy/remove.ts';
import { batchRead } from './resource/batches/batch-read.ts';
import { batchCreate, batchUpdate, batchUpsert } from './resource/batches/batch-write.ts';
import { listDuplicates } from './resource/duplicates/list-duplicates.ts';
import { listHistory } from './resource/list-history.ts';
import { mergeOne } from './resource/merging/merge-one.ts';
import {
  exportAll,
  getOne,
  getOneByExternalId,
  listAll,
  listNamed,
  listNamedOf,
  listOf,
} from './resource/read.ts';
import { createOne, updateOne, upsertOne } from './resource/write-one.ts';
import { deleteSalesCycle } from './sales-cycles/delete-sales-cycle.ts';
import { updateSalesCycle } from './sales-cycles/update-sales-cycle.ts';
import { resetSandbox } from './sandbox/reset-sandbox.ts';
import { seedSandbox } from './sandbox/seed-sandbox.ts';
import { listTags } from './tags/list-tags.ts';
import { userFilters, users } from './users/queries.ts';
import { updateUser } from './users/update-user.ts';
import { toUser } from './users/user.ts';
import { userRules } from './users/user-rules.ts';
import { webhookHandlers } from './webhooks/handlers.ts';

const mergedNotes = { move: moveNotes, add: addNote };

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
  batchDeleteContacts: batchDelete(contactRules, unlinkContacts),
  batchReadContacts: batchRead(contactRules),
  listLeads: listAll(leads, conditionsOfLeads, toLead),
  exportLeads: exportAll(leads, conditionsOfLeads, toLead),
  createLead: createOne(leadRules),
  getLead: getOne(leads, toLead),
  updateLead: updateOne(leadRules),
  getLeadByExternalId: getOneByExternalId(leadRules),
  upsertLead: upsertOne(leadRules),
  deleteLeadByExternalId: deleteByExternalId(leads, deleteOne(leadRules)),
  deleteLead: deleteOne(leadRules),
  convertLead,
  reopenLead,
  listSalesCycles: listAll(salesCycles, filteredBy(salesCycleFilters), toSalesCycle),
  exportSalesCycles: exportAll(salesCycles, filteredBy(salesCycleFilters), toSalesCycle),
  getSalesCycle: getOne(salesCycles, toSalesCycle),
  updateSalesCycle,
  deleteSalesCycle,
  listLeadDuplicates: listDuplicates('lead', (group, leads) => ({ ...group, leads })),
  mergeLead: mergeOne(leadRules, leadMerging, mergedNotes),
  listLeadEvents: listHistory(leads),
  listLeadStatusChanges: listNamedOf(
    leads,
    'lead_id',
    statusChanges,
    filteredBy(statusChangeFilters),
    toStatusChange,
  ),
  listTags,
  listMetadataFields,
  createMetadataField,
  getMetadataField,
  updateMetadataField,
  listContacts: listAll(contacts, filteredBy(contactFilters), toContact),
  exportContacts: exportAll(contacts, filteredBy(contactFilters), toContact),
  createContact: createOne(contactRules),
  getContact: getOne(contacts, toContact),
  updateContact: updateOne(contactRules),
  getContactByExternalId: getOneByExternalId(contactRules),
  upsertContact: upsertOne(contactRules),
  deleteContactByExternalId: deleteByExternalId(contacts, deleteOne(contactRules, unlinkContacts)),
  deleteContact: deleteOne(contactRules, unlinkContacts),
  listContactDuplicates: listDuplicates('contact', (group, contacts) => ({ ...group, contacts })),
  mergeContact: mergeOne(contactRules, contactMerging(moveLeads), mergedNotes),
  listContactEvents: listHistory(contacts),
  listContent: listAll(listedContents, filteredBy(contentFilters), toContent),
  createContent: createOne(contentRules),
  getContent: getOne(contents, toContentWithBody),
  updateContent: updateOne(contentRules),
  deleteContent,
  publishContent,
  unpublishContent,
  archiveContent,
  listContentEvents: listHistory(contents),
  listNotes,
  createNote,
  getNote,
  updateNote,
  deleteNote,
  listUsers: listAll(users, filteredBy(userFilters), toUser),
  createUser: createOne(userRules),
  getUser: getOne(users, toUser),
  updateUser,
  deleteUser,
  reassignUser: reassign,
  getUserByExternalId: getOneByExternalId(userRules),
  upsertUser: upsertOne(userRules),
  deleteUserByExternalId: deleteByExternalId(users, deleteUser),
  listEvents,
  getEvent,
  listEventTypes,
  ...webhookHandlers,
  ...analyticsHandlers,
  listInboundHooks: listAll(hooks, filteredBy(hookFilters), toInboundHook),
  createInboundHook,
  getInboundHook: getOne(hooks, toInboundHook),
  updateInboundHook,
  deleteInboundHook,
  rotateInboundHookUrl,
  previewInboundHook,
  listInboundDeliveries: listOf(hooks, 'hook_id', deliveries, filteredBy(deliveryFilters), toInboundDelivery),
  getInboundDelivery,
  reprocessInboundDelivery,
  answerHookChallenge,
  receiveInboundDelivery,
  listImports,
  createImport,
  getImport: getOne(imports, toImport, requireToReadImport),
  listImportErrors,
  listImportRows,
  exportRejectedRows,
  startImport,
  updateImport,
  cancelImport,
  listBulkJobs,
  createBulkJob,
  getBulkJob: getOne(bulkJobs, toBulkJob, requireToReadJob),
  listBulkJobErrors,
  cancelBulkJob,
  listClients: listAll(clients, filteredBy(clientFilters), toClient),
  createClient,
  getClient: getOne(clients, toClient),
  updateClient,
  rotateClientSecret,
  disableClient,
  enableClient,
  listApiKeys: listOf(clients, 'client_id', apiKeys, filteredBy(apiKeyFilters), toApiKey),
  createApiKey,
  getApiKey,
  revokeApiKey,
  listAuditLog: listNamed(auditLog, filteredBy(auditLogFilters), toAuditLogEntry),
  lookUpPerson,
  listErasures: listNamed(erasures, filteredBy(erasureFilters), toErasure),
  createErasure,
  getErasure,
  resetSandbox,
  seedSandbox,
} satisfies Handlers;
