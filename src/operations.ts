import { getAnalyticsContent } from './analytics/get-analytics-content.ts';
import { getAnalyticsForecast } from './analytics/get-analytics-forecast.ts';
import { getAnalyticsFunnel } from './analytics/get-analytics-funnel.ts';
import { getAnalyticsLostReasons } from './analytics/get-analytics-lost-reasons.ts';
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
import { cancelBulkJob } from './bulk-jobs/cancel-bulk-job.ts';
import { createBulkJob } from './bulk-jobs/create-bulk-job.ts';
import { getBulkJob } from './bulk-jobs/get-bulk-job.ts';
import { listBulkJobErrors } from './bulk-jobs/list-bulk-job-errors.ts';
import { listBulkJobs } from './bulk-jobs/list-bulk-jobs.ts';
import { reassign } from './bulk-jobs/reassign.ts';
import { toClient } from './clients/client.ts';
import { createApiKey } from './clients/create-api-key.ts';
import { createClient } from './clients/create-client.ts';
import { disableClient } from './clients/disable-client.ts';
import { enableClient } from './clients/enable-client.ts';
import { getApiKey } from './clients/get-api-key.ts';
import { listApiKeys } from './clients/list-api-keys.ts';
import { clientFilters, clients } from './clients/queries.ts';
import { revokeApiKey } from './clients/revoke-api-key.ts';
import { rotateClientSecret } from './clients/rotate-client-secret.ts';
import { updateClient } from './clients/update-client.ts';
import { toContact } from './contacts/contact.ts';
import { contactRules } from './contacts/contact-rules.ts';
import { contactMerging } from './contacts/merge-contact.ts';
import { contactFilters, contacts } from './contacts/queries.ts';
import { toContent, toContentWithBody } from './content/content.ts';
import { createContent } from './content/create-content.ts';
import { deleteContent } from './content/delete-content.ts';
import { contentFilters, contents, listedContents } from './content/queries.ts';
import { archiveContent, publishContent, unpublishContent } from './content/set-status.ts';
import { updateContent } from './content/update-content.ts';
import { filteredBy } from './db/list/filters.ts';
import { getEvent } from './events/get-event.ts';
import { listEventTypes } from './events/list-event-types.ts';
import { listEvents } from './events/list-events.ts';
import { cancelImport } from './imports/cancel-import.ts';
import { createImport } from './imports/create-import.ts';
import { exportRejectedRows } from './imports/export-rejected-rows.ts';
import { getImport } from './imports/get-import.ts';
import { listImportErrors } from './imports/list-import-errors.ts';
import { listImportRows } from './imports/list-import-rows.ts';
import { listImports } from './imports/list-imports.ts';
import { putImportFile } from './imports/put-import-file.ts';
import { startImport } from './imports/start-import.ts';
import { answerHookChallenge } from './inbound-hooks/answer-hook-challenge.ts';
import { createInboundHook } from './inbound-hooks/create-inbound-hook.ts';
import { deleteInboundHook } from './inbound-hooks/delete-inbound-hook.ts';
import { getInboundDelivery } from './inbound-hooks/get-inbound-delivery.ts';
import { toInboundHook } from './inbound-hooks/inbound-hook.ts';
import { listInboundDeliveries } from './inbound-hooks/list-inbound-deliveries.ts';
import { previewInboundHook } from './inbound-hooks/preview-inbound-hook.ts';
import { hookFilters, hooks } from './inbound-hooks/queries.ts';
import { receiveInboundDelivery } from './inbound-hooks/receive-inbound-delivery.ts';
import { replayInboundDelivery } from './inbound-hooks/replay-inbound-delivery.ts';
import { rotateInboundHookUrl } from './inbound-hooks/rotate-inbound-hook-url.ts';
import { updateInboundHook } from './inbound-hooks/update-inbound-hook.ts';
import { conditionsOfLeads } from './leads/conditions.ts';
import { convertLead } from './leads/convert-lead.ts';
import { toLead } from './leads/lead.ts';
import { leadRules } from './leads/lead-rules.ts';
import { listLeadStatusChanges } from './leads/list-lead-status-changes.ts';
import { leadMerging } from './leads/merge-lead.ts';
import { leads } from './leads/queries.ts';
import { moveLeads, unlinkContacts } from './leads/unlink-contacts.ts';
import type { Handlers } from './operation.ts';
import { createErasure } from './people/create-erasure.ts';
import { getErasure } from './people/get-erasure.ts';
import { getPerson } from './people/get-person.ts';
import { listErasures } from './people/list-erasures.ts';
import { batchDelete } from './resource/batches/batch-delete.ts';
import { batchRead } from './resource/batches/batch-read.ts';
import { batchCreate, batchUpdate, batchUpsert } from './resource/batches/batch-write.ts';
import { listDuplicates } from './resource/duplicates/list-duplicates.ts';
import { listHistory } from './resource/list-history.ts';
import { mergeOne } from './resource/merging/merge-one.ts';
import { createNote } from './resource/notes/create-note.ts';
import { deleteNote } from './resource/notes/delete-note.ts';
import { getNote } from './resource/notes/get-note.ts';
import { listNotes } from './resource/notes/list-notes.ts';
import { toNote } from './resource/notes/note.ts';
import { allNotesFilters, listedNotes } from './resource/notes/queries.ts';
import { updateNote } from './resource/notes/update-note.ts';
import { exportAll, getOne, getOneByExternalId, listAll } from './resource/read.ts';
import { createOne, deleteByExternalId, deleteOne, updateOne, upsertOne } from './resource/write-one.ts';
import { resetSandbox } from './sandbox/reset-sandbox.ts';
import { seedSandbox } from './sandbox/seed-sandbox.ts';
import { listTags } from './tags/list-tags.ts';
import { deleteUser } from './users/delete-user.ts';
import { userFilters, users } from './users/queries.ts';
import { toUser } from './users/user.ts';
import { userRules } from './users/user-rules.ts';
import { webhookHandlers } from './webhooks/handlers.ts';

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
  listLeadNotes: listNotes(leads),
  createLeadNote: createNote(leads),
  getLeadNote: getNote(leads),
  updateLeadNote: updateNote(leads),
  deleteLeadNote: deleteNote(leads),
  deleteLead: deleteOne(leadRules),
  convertLead,
  listLeadDuplicates: listDuplicates('lead', (group, leads) => ({ ...group, leads })),
  mergeLead: mergeOne(leadRules, leadMerging),
  listLeadEvents: listHistory(leads),
  listLeadStatusChanges,
  listTags,
  listContacts: listAll(contacts, filteredBy(contactFilters), toContact),
  exportContacts: exportAll(contacts, filteredBy(contactFilters), toContact),
  createContact: createOne(contactRules),
  getContact: getOne(contacts, toContact),
  updateContact: updateOne(contactRules),
  getContactByExternalId: getOneByExternalId(contactRules),
  upsertContact: upsertOne(contactRules),
  deleteContactByExternalId: deleteByExternalId(contacts, deleteOne(contactRules, unlinkContacts)),
  listContactNotes: listNotes(contacts),
  createContactNote: createNote(contacts),
  getContactNote: getNote(contacts),
  updateContactNote: updateNote(contacts),
  deleteContactNote: deleteNote(contacts),
  deleteContact: deleteOne(contactRules, unlinkContacts),
  listContactDuplicates: listDuplicates('contact', (group, contacts) => ({ ...group, contacts })),
  mergeContact: mergeOne(contactRules, contactMerging(moveLeads)),
  listContactEvents: listHistory(contacts),
  listContent: listAll(listedContents, filteredBy(contentFilters), toContent),
  createContent,
  getContent: getOne(contents, toContentWithBody),
  updateContent,
  deleteContent,
  publishContent,
  unpublishContent,
  archiveContent,
  listContentEvents: listHistory(contents),
  listNotes: listAll(listedNotes, filteredBy(allNotesFilters), toNote),
  listUsers: listAll(users, filteredBy(userFilters), toUser),
  createUser: createOne(userRules),
  getUser: getOne(users, toUser),
  updateUser: updateOne(userRules),
  deleteUser,
  reassignUser: reassign,
  getUserByExternalId: getOneByExternalId(userRules),
  upsertUser: upsertOne(userRules),
  deleteUserByExternalId: deleteByExternalId(users, deleteUser),
  listEvents,
  getEvent,
  listEventTypes,
  ...webhookHandlers,
  listInboundHooks: listAll(hooks, filteredBy(hookFilters), toInboundHook),
  createInboundHook,
  getInboundHook: getOne(hooks, toInboundHook),
  updateInboundHook,
  deleteInboundHook,
  rotateInboundHookUrl,
  previewInboundHook,
  listInboundDeliveries,
  getInboundDelivery,
  replayInboundDelivery,
  answerHookChallenge,
  receiveInboundDelivery,
  getAnalyticsSummary,
  getAnalyticsFunnel,
  getAnalyticsLostReasons,
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
  listImportRows,
  exportRejectedRows,
  putImportFile,
  startImport,
  cancelImport,
  listBulkJobs,
  createBulkJob,
  getBulkJob,
  listBulkJobErrors,
  cancelBulkJob,
  listClients: listAll(clients, filteredBy(clientFilters), toClient),
  createClient,
  getClient: getOne(clients, toClient),
  updateClient,
  rotateClientSecret,
  disableClient,
  enableClient,
  listApiKeys,
  createApiKey,
  getApiKey,
  revokeApiKey,
  listAuditLog,
  getPerson,
  listErasures,
  createErasure,
  getErasure,
  resetSandbox,
  seedSandbox,
} satisfies Handlers;
