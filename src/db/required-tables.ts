/**
 * The tables that this release uses: it is not ready without one of them. To drop a table, remove it here, and drop it in the
 * release after that, because processes of both releases run during an upgrade.
 */
export const requiredTables: readonly string[] = [
  ...['api_clients', 'api_keys', 'audit_log', 'revoked_tokens', 'signing_keys'],
  ...['bulk_job_chunks', 'job_errors', 'jobs'],
  ...['contact_emails', 'contacts', 'content', 'merges', 'notes', 'users'],
  ...['erasures', 'event_retention', 'events', 'idempotency_keys', 'idempotency_usage', 'retention_clock'],
  ...['import_chunks', 'import_erasures', 'import_keys', 'import_rows'],
  ...['inbound_deliveries', 'inbound_hooks', 'inbound_storage', 'inbound_storage_changes'],
  ...['lead_counter_changes', 'lead_counters'],
  ...['lead_counters_by_owner', 'lead_counters_by_value', 'lead_counters_of_all'],
  ...['lead_emails', 'lead_status_changes', 'leads', 'metadata_fields', 'sales_cycles'],
  ...['webhook_attempts', 'webhook_deliveries', 'webhooks'],
];
