// Generated from openapi/ by `npm run generate`. Do not edit.

export const schemas = {
  AddTags: {
    maxItems: 20
  },
  AllowedOrigins: {
    maxItems: 10
  },
  Amount: {
    maxLength: 20
  },
  ApiEventField: {
    enum: [
      "type",
      "id",
      "occurred_at",
      "environment",
      "request_id",
      "actor",
      "data"
    ]
  },
  ApiKeyField: {
    enum: [
      "id",
      "client_id",
      "name",
      "scopes",
      "expires_at",
      "revoked_at",
      "hint",
      "last_used_at",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  AssignedUserId: {
    maxLength: 100
  },
  AuditAction: {
    enum: [
      "client.created",
      "client.updated",
      "client.secret_rotated",
      "client.tokens_revoked",
      "client.disabled",
      "client.enabled",
      "key.created",
      "key.revoked",
      "signing_key.rotated",
      "person.looked_up",
      "person.erased"
    ]
  },
  AuditLogEntryField: {
    enum: [
      "id",
      "created_at",
      "action",
      "actor",
      "address",
      "request_id",
      "client_id",
      "key_id",
      "name",
      "scopes",
      "erasure_id"
    ]
  },
  AuthorName: {
    maxLength: 200
  },
  AuthorUserId: {
    maxLength: 100
  },
  BatchCreateContacts: {
    atomic: {
      default: false
    },
    items: {
      maxItems: 1000
    }
  },
  BatchCreateLeads: {
    atomic: {
      default: false
    },
    items: {
      maxItems: 1000
    }
  },
  BatchDelete: {
    atomic: {
      default: false
    }
  },
  BatchIds: {
    maxItems: 1000
  },
  BatchIndex: {
    maximum: 999
  },
  BatchRead: {
    maxProperties: 1,
    emails: {
      maxItems: 1000
    },
    external_ids: {
      maxItems: 1000
    }
  },
  BatchStatus: {
    enum: [
      "created",
      "updated",
      "unchanged",
      "deleted",
      "found",
      "not_found",
      "failed"
    ]
  },
  BatchUpdateContacts: {
    atomic: {
      default: false
    },
    items: {
      maxItems: 1000
    }
  },
  BatchUpdateLeads: {
    atomic: {
      default: false
    },
    items: {
      maxItems: 1000
    }
  },
  BatchUpsertContacts: {
    match: {
      enum: [
        "email",
        "external_id"
      ]
    },
    atomic: {
      default: false
    },
    items: {
      maxItems: 1000
    }
  },
  BatchUpsertLeads: {
    match: {
      enum: [
        "email",
        "external_id"
      ]
    },
    atomic: {
      default: false
    },
    items: {
      maxItems: 1000
    }
  },
  BulkJobChange: {
    maxProperties: 1
  },
  BulkJobField: {
    enum: [
      "id",
      "kind",
      "status",
      "resources",
      "filter",
      "action",
      "redacted",
      "dry_run",
      "rows_total",
      "rows_done",
      "counts",
      "progress",
      "failures",
      "actor",
      "started_at",
      "finished_at",
      "failure",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  BulkJobKind: {
    enum: [
      "update",
      "delete",
      "reassign",
      "seed",
      "declare"
    ]
  },
  BulkJobResource: {
    enum: [
      "leads",
      "contacts",
      "content",
      "users"
    ]
  },
  ChangedField: {
    enum: [
      "active",
      "archived_at",
      "assigned_user_id",
      "author_name",
      "author_user_id",
      "body",
      "company",
      "contact_id",
      "content_id",
      "direction",
      "duration_seconds",
      "email",
      "expected_close_on",
      "external_id",
      "first_contacted_at",
      "first_lost_at",
      "first_qualified_at",
      "first_won_at",
      "kind",
      "language",
      "lead_id",
      "lost_reason",
      "metadata",
      "name",
      "next_step",
      "next_step_at",
      "occurred_at",
      "other_emails",
      "phone",
      "pinned",
      "published_at",
      "sales_cycle",
      "sales_cycles_won",
      "slug",
      "source",
      "source_detail",
      "status",
      "status_changed_at",
      "summary",
      "tags",
      "text",
      "title",
      "type",
      "url",
      "value"
    ]
  },
  ChangedFields: {
    maxItems: 50
  },
  ChangedOrder: {
    enum: [
      "created_at",
      "-created_at",
      "updated_at",
      "-updated_at"
    ],
    default: "-created_at"
  },
  ClientName: {
    maxLength: 200
  },
  ClientStatus: {
    enum: [
      "enabled",
      "disabled"
    ]
  },
  ClientUserId: {
    maxLength: 100
  },
  Company: {
    maxLength: 200
  },
  ContactEmail: {
    maxLength: 254
  },
  ContactField: {
    enum: [
      "id",
      "name",
      "email",
      "other_emails",
      "phone",
      "company",
      "title",
      "tags",
      "assigned_user_id",
      "external_id",
      "next_step",
      "next_step_at",
      "metadata",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  ContactOrder: {
    maxLength: 100,
    default: "-created_at"
  },
  ContentField: {
    enum: [
      "id",
      "title",
      "slug",
      "type",
      "summary",
      "body_sha256",
      "url",
      "language",
      "status",
      "author_user_id",
      "tags",
      "metadata",
      "published_at",
      "archived_at",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  ContentKind: {
    enum: [
      "article",
      "landing_page",
      "form",
      "ebook",
      "video",
      "webinar",
      "email",
      "other"
    ]
  },
  ContentOrder: {
    maxLength: 100,
    default: "-created_at"
  },
  ContentStatus: {
    enum: [
      "draft",
      "published",
      "archived"
    ]
  },
  ConvertLead: {
    contact_id: {
      maxLength: 100
    },
    status: {
      enum: [
        "new",
        "contacted",
        "qualified",
        "won"
      ]
    }
  },
  CreateApiKey: {
    scopes: {
      maxItems: 50
    },
    expires_at: {
      maxLength: 40
    }
  },
  CreateContact: {
    other_emails: {
      default: []
    },
    tags: {
      default: []
    },
    metadata: {
      default: {}
    }
  },
  CreateContent: {
    tags: {
      default: []
    },
    metadata: {
      default: {}
    }
  },
  CreateErasure: {
    include_former: {
      default: false
    }
  },
  CreateInboundHook: {
    status: {
      default: "enabled"
    },
    lead_source: {
      default: "website"
    },
    default_tags: {
      default: []
    },
    mapping: {
      default: {
        name: [
          "/name",
          "/full_name",
          "/fullname",
          "/fullName",
          "/your-name",
          "/Name",
          "/Full name",
          "/Full Name"
        ],
        "name.first": [
          "/first_name",
          "/firstname",
          "/firstName",
          "/first-name",
          "/fname",
          "/First name",
          "/First Name",
          "/name/first",
          "/name/first_name",
          "/names/first_name",
          "/name[first]",
          "/names[first_name]"
        ],
        "name.last": [
          "/last_name",
          "/lastname",
          "/lastName",
          "/last-name",
          "/lname",
          "/surname",
          "/Last name",
          "/Last Name",
          "/name/last",
          "/name/last_name",
          "/names/last_name",
          "/name[last]",
          "/names[last_name]"
        ],
        email: [
          "/email",
          "/email_address",
          "/emailAddress",
          "/e-mail",
          "/mail",
          "/your-email",
          "/Email",
          "/E-mail",
          "/Email address",
          "/Email Address"
        ],
        phone: [
          "/phone",
          "/phone_number",
          "/phoneNumber",
          "/telephone",
          "/tel",
          "/mobile",
          "/your-phone",
          "/your-tel",
          "/Phone",
          "/Phone number",
          "/Phone Number"
        ],
        company: [
          "/company",
          "/company_name",
          "/companyName",
          "/organization",
          "/organisation",
          "/your-company",
          "/Company",
          "/Company name",
          "/Company Name"
        ],
        note: [
          "/message",
          "/note",
          "/notes",
          "/comment",
          "/comments",
          "/enquiry",
          "/inquiry",
          "/your-message",
          "/Message",
          "/Comments",
          "/Notes",
          "/Comment or Message"
        ],
        external_id: [
          "/external_id",
          "/lead_id",
          "/id"
        ]
      }
    },
    verification: {
      default: {
        type: "none"
      }
    },
    on_duplicate: {
      default: "merge"
    },
    on_return: {
      default: "note"
    },
    values: {
      default: {}
    }
  },
  CreateInboundHookMapping: {
    maxProperties: 74,
    "x-max-bytes": 16384
  },
  CreateLead: {
    other_emails: {
      default: []
    },
    status: {
      default: "new"
    },
    source: {
      default: "api"
    },
    tags: {
      default: []
    },
    metadata: {
      default: {}
    }
  },
  CreateMetadataField: {
    indexed: {
      default: false
    },
    unfit: {
      enum: [
        "reject",
        "clear"
      ],
      default: "reject"
    }
  },
  CreateNote: {
    lead_id: {
      maxLength: 100
    },
    contact_id: {
      maxLength: 100
    },
    pinned: {
      default: false
    },
    kind: {
      default: "note"
    }
  },
  CreateUser: {
    active: {
      default: true
    }
  },
  CreateWebhook: {
    exclude_own: {
      default: false
    },
    status: {
      default: "enabled"
    },
    retry_schedule: {
      default: "standard"
    }
  },
  CreateWebhookReplay: {
    event_types: {
      maxItems: 50
    },
    only_failed: {
      default: false
    },
    only_undelivered: {
      default: false
    }
  },
  CreatedAt: {
    maxLength: 24
  },
  CreatedOrder: {
    enum: [
      "created_at",
      "-created_at"
    ],
    default: "-created_at"
  },
  Currency: {
    maxLength: 3
  },
  Day: {
    maxLength: 10
  },
  DefaultCountry: {
    maxLength: 2
  },
  DuplicateReason: {
    enum: [
      "phone",
      "name_and_company",
      "email_local_part"
    ]
  },
  Email: {
    maxLength: 254
  },
  Environment: {
    enum: [
      "production",
      "sandbox"
    ]
  },
  ErasureField: {
    enum: [
      "id",
      "created_at",
      "actor",
      "request_id",
      "counts",
      "former",
      "receivers"
    ]
  },
  EventId: {
    maxLength: 32
  },
  EventRequestId: {
    maxLength: 64
  },
  EventType: {
    enum: [
      "lead.created",
      "lead.updated",
      "lead.status_changed",
      "lead.reopened",
      "lead.sales_cycle_corrected",
      "lead.sales_cycle_deleted",
      "lead.assigned",
      "lead.converted",
      "lead.returned",
      "lead.next_step_due",
      "lead.merged",
      "lead.deleted",
      "contact.created",
      "contact.updated",
      "contact.next_step_due",
      "contact.merged",
      "contact.deleted",
      "note.created",
      "note.updated",
      "note.deleted",
      "content.created",
      "content.updated",
      "content.published",
      "content.unpublished",
      "content.archived",
      "content.deleted",
      "user.created",
      "user.updated",
      "user.deleted",
      "inbound.rejected",
      "webhook.disabled",
      "webhook.test"
    ]
  },
  EventTypes: {
    maxItems: 50
  },
  ExcludeActorIds: {
    maxItems: 50
  },
  ExpectedCloseOn: {
    maxLength: 10
  },
  ExternalId: {
    maxLength: 128
  },
  FirstContactSeconds: {
    maximum: 2592000
  },
  FirstContentId: {
    maxLength: 100
  },
  Honeypot: {
    maxLength: 50
  },
  HookName: {
    maxLength: 200
  },
  HookUserId: {
    maxLength: 100
  },
  HookValues: {
    maxProperties: 60,
    "x-max-bytes": 8192
  },
  ImportDefaults: {
    maxProperties: 60,
    "x-max-bytes": 8192
  },
  ImportDoubtCode: {
    enum: [
      "ambiguous_amounts",
      "ambiguous_column",
      "ambiguous_dates",
      "failing_rows",
      "footer",
      "formulas_without_results",
      "no_currency",
      "no_header",
      "unknown_status",
      "unreadable_column",
      "unused_columns"
    ]
  },
  ImportField: {
    enum: [
      "id",
      "status",
      "resource",
      "format",
      "match",
      "on_duplicate",
      "dry_run",
      "create_users",
      "columns",
      "mapping",
      "defaults",
      "values",
      "locale",
      "default_country",
      "charset",
      "sheet",
      "unused_columns",
      "warnings",
      "doubts",
      "rows_total",
      "rows_done",
      "counts",
      "failures",
      "started_at",
      "finished_at",
      "failure",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  ImportMapping: {
    maxProperties: 5000,
    "x-max-bytes": 524288
  },
  ImportMatch: {
    enum: [
      "email",
      "external_id",
      "slug"
    ]
  },
  ImportOnDuplicate: {
    enum: [
      "merge",
      "update",
      "ignore",
      "reject"
    ]
  },
  ImportOutcome: {
    enum: [
      "created",
      "updated",
      "unchanged",
      "failed"
    ]
  },
  ImportResource: {
    enum: [
      "leads",
      "contacts",
      "users",
      "content",
      "notes"
    ]
  },
  ImportSeverity: {
    enum: [
      "error",
      "warning"
    ]
  },
  ImportStatus: {
    enum: [
      "draft",
      "queued",
      "running",
      "completed",
      "cancelled",
      "failed"
    ]
  },
  ImportValues: {
    maxProperties: 60,
    "x-max-bytes": 65536
  },
  InboundDeliveryField: {
    enum: [
      "id",
      "hook_id",
      "status",
      "lead_id",
      "errors",
      "warnings",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  InboundDeliveryStatus: {
    enum: [
      "created",
      "merged",
      "ignored",
      "rejected",
      "skipped"
    ]
  },
  InboundErrors: {
    "x-max-bytes": 16384
  },
  InboundHookCondition: {
    "x-max-bytes": 4096
  },
  InboundHookField: {
    enum: [
      "id",
      "client_id",
      "name",
      "status",
      "lead_source",
      "default_tags",
      "assigned_user_id",
      "content_id",
      "mapping",
      "verification",
      "on_duplicate",
      "on_return",
      "first_contact_seconds",
      "redirect_url",
      "honeypot",
      "allowed_origins",
      "default_country",
      "locale",
      "values",
      "accept_if",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  InboundHookStatus: {
    enum: [
      "enabled",
      "paused"
    ]
  },
  InboundWarnings: {
    maxItems: 100,
    "x-max-bytes": 16384
  },
  InstantOrDate: {
    maxLength: 40
  },
  JobFailureCode: {
    enum: [
      "client_disabled",
      "key_revoked",
      "scope_missing",
      "person_erased",
      "rows_lost",
      "already_seeded",
      "not_found",
      "unfit_values",
      "internal_error"
    ]
  },
  JobStatus: {
    enum: [
      "queued",
      "running",
      "completed",
      "cancelled",
      "failed"
    ]
  },
  JobTitle: {
    maxLength: 300
  },
  Language: {
    maxLength: 35
  },
  LeadEventFilter: {
    "x-max-bytes": 8192
  },
  LeadField: {
    enum: [
      "id",
      "name",
      "email",
      "other_emails",
      "phone",
      "status",
      "source",
      "source_detail",
      "company",
      "tags",
      "assigned_user_id",
      "content_id",
      "contact_id",
      "external_id",
      "lost_reason",
      "value",
      "expected_close_on",
      "next_step",
      "next_step_at",
      "metadata",
      "status_changed_at",
      "first_contacted_at",
      "first_qualified_at",
      "first_won_at",
      "first_lost_at",
      "sales_cycle",
      "sales_cycles_won",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  LeadOrder: {
    maxLength: 100,
    default: "-created_at"
  },
  LeadSource: {
    enum: [
      "api",
      "website",
      "referral",
      "manual"
    ]
  },
  LeadStatus: {
    enum: [
      "new",
      "contacted",
      "qualified",
      "won",
      "lost"
    ]
  },
  LeadsUrl: {
    maxLength: 65536
  },
  LinkedContactId: {
    maxLength: 100
  },
  Locale: {
    maxLength: 35
  },
  LostReason: {
    maxLength: 500
  },
  MappingPart: {
    maxLength: 500
  },
  MappingPath: {
    maxLength: 500
  },
  MappingRule: {
    maxLength: 500,
    maxItems: 20
  },
  MappingRulePatch: {
    maxLength: 500,
    maxItems: 20
  },
  Markdown: {
    maxLength: 200000
  },
  MergeContact: {
    contact_id: {
      maxLength: 100
    }
  },
  MergeLead: {
    lead_id: {
      maxLength: 100
    }
  },
  Metadata: {
    maxProperties: 50,
    "x-max-bytes": 16384
  },
  MetadataFieldField: {
    enum: [
      "id",
      "resource",
      "key",
      "label",
      "type",
      "options",
      "indexed",
      "status",
      "job_id",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  MetadataFieldStatus: {
    enum: [
      "converting",
      "active",
      "archived"
    ]
  },
  MetadataFieldType: {
    enum: [
      "text",
      "number",
      "boolean",
      "date",
      "choice"
    ]
  },
  MetadataKey: {
    maxLength: 40
  },
  MetadataLabel: {
    maxLength: 100
  },
  MetadataOptions: {
    maxItems: 200,
    "x-max-bytes": 16384
  },
  MetadataPatch: {
    maxProperties: 100
  },
  MetadataResource: {
    enum: [
      "leads",
      "contacts",
      "content"
    ]
  },
  Name: {
    maxLength: 200
  },
  NamedBy: {
    maxItems: 1000
  },
  NamedOrder: {
    enum: [
      "created_at",
      "-created_at",
      "updated_at",
      "-updated_at",
      "name",
      "-name"
    ],
    default: "-created_at"
  },
  NextStep: {
    maxLength: 200
  },
  NextStepAt: {
    maxLength: 40
  },
  NoChanges: {
    maxProperties: 0
  },
  NoteDirection: {
    enum: [
      "inbound",
      "outbound"
    ]
  },
  NoteDuration: {
    maximum: 604800
  },
  NoteExternalId: {
    maxLength: 128
  },
  NoteField: {
    enum: [
      "id",
      "lead_id",
      "contact_id",
      "text",
      "pinned",
      "kind",
      "direction",
      "occurred_at",
      "duration_seconds",
      "author",
      "author_name",
      "external_id",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  NoteId: {
    maxLength: 31
  },
  NoteKind: {
    enum: [
      "note",
      "call",
      "email",
      "meeting",
      "message"
    ]
  },
  NoteText: {
    maxLength: 10000
  },
  NullableLanguage: {
    maxLength: 35
  },
  OAuthClientField: {
    enum: [
      "id",
      "name",
      "scopes",
      "user_id",
      "limits",
      "status",
      "disabled_at",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  OccurredAt: {
    maxLength: 24
  },
  OnDuplicate: {
    enum: [
      "merge",
      "ignore",
      "reject"
    ]
  },
  OnReturn: {
    enum: [
      "note",
      "reopen"
    ]
  },
  OtherEmails: {
    maxItems: 10
  },
  OtherEmailsPatch: {
    maxItems: 10
  },
  Phone: {
    maxLength: 100
  },
  ReassignUser: {
    to: {
      maxLength: 100
    },
    include_closed: {
      default: false
    },
    dry_run: {
      default: false
    }
  },
  RedirectUrl: {
    maxLength: 1000
  },
  RemoveTags: {
    maxItems: 100
  },
  ReopenLead: {
    status: {
      enum: [
        "new",
        "contacted",
        "qualified"
      ],
      default: "new"
    }
  },
  ReplayId: {
    maxLength: 33
  },
  RetrySchedule: {
    enum: [
      "standard",
      "fast"
    ]
  },
  RevokeRequest: {
    token: {
      maxLength: 8192
    },
    token_type_hint: {
      maxLength: 255
    },
    client_id: {
      maxLength: 255
    },
    client_secret: {
      maxLength: 255
    }
  },
  RotateClientSecret: {
    revoke_tokens: {
      default: false
    }
  },
  RowOrder: {
    enum: [
      "row",
      "-row"
    ],
    default: "row"
  },
  SalesCycleField: {
    enum: [
      "id",
      "lead_id",
      "number",
      "status",
      "furthest_status",
      "source",
      "source_detail",
      "company",
      "tags",
      "assigned_user_id",
      "content_id",
      "lost_reason",
      "value",
      "expected_close_on",
      "external_id",
      "opened_at",
      "closed_at",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  SalesCycleOrder: {
    enum: [
      "opened_at",
      "-opened_at",
      "updated_at",
      "-updated_at",
      "closed_at",
      "-closed_at"
    ],
    default: "-opened_at"
  },
  Scope: {
    enum: [
      "read",
      "write",
      "leads:read",
      "leads:write",
      "contacts:read",
      "contacts:write",
      "content:read",
      "content:write",
      "users:read",
      "users:write",
      "webhooks:read",
      "webhooks:write",
      "analytics:read",
      "events:read",
      "act",
      "admin"
    ]
  },
  Scopes: {
    maxItems: 50
  },
  SeedSandbox: {
    seed: {
      maximum: 2147483647,
      default: 42
    },
    leads: {
      maximum: 100000,
      default: 1000
    }
  },
  SentNoteDirection: {
    enum: [
      "inbound",
      "outbound",
      null
    ]
  },
  ShownMetadata: {
    maxProperties: 50,
    "x-max-bytes": 16384
  },
  ShownNextStep: {
    maxLength: 200
  },
  ShownNextStepAt: {
    maxLength: 24
  },
  ShownOtherEmails: {
    maxItems: 10
  },
  Slug: {
    maxLength: 200
  },
  SourceDetail: {
    maxLength: 100
  },
  StartImport: {
    accept_doubts: {
      maxItems: 10
    },
    dry_run: {
      default: false
    }
  },
  StatusChangeField: {
    enum: [
      "id",
      "from",
      "to",
      "occurred_at",
      "seconds_in_previous_status",
      "actor",
      "request_id",
      "sales_cycle_id",
      "merged_from"
    ]
  },
  Summary: {
    maxLength: 1000
  },
  TagOrder: {
    enum: [
      "count",
      "-count",
      "tag",
      "-tag"
    ],
    default: "-count"
  },
  TaggedResource: {
    enum: [
      "leads",
      "contacts",
      "content"
    ],
    default: "leads"
  },
  Tags: {
    maxItems: 20
  },
  TagsPatch: {
    maxItems: 20
  },
  TestWebhook: {
    event_id: {
      maxLength: 100
    }
  },
  TextMetadata: {
    maxProperties: 50,
    "x-max-bytes": 16384
  },
  TextMetadataPatch: {
    maxProperties: 100
  },
  Timezone: {
    maxLength: 64,
    default: "UTC"
  },
  Title: {
    maxLength: 300
  },
  TokenRequest: {
    grant_type: {
      enum: [
        "client_credentials"
      ]
    },
    client_id: {
      maxLength: 255
    },
    client_secret: {
      maxLength: 255
    },
    scope: {
      maxLength: 1000
    },
    expires_in: {
      maximum: 3600
    }
  },
  UpdateImport: {
    locale: {
      maxLength: 35
    },
    default_country: {
      maxLength: 2
    }
  },
  UpdateImportDefaults: {
    maxProperties: 60,
    "x-max-bytes": 8192
  },
  UpdateImportMapping: {
    maxProperties: 1000,
    "x-max-bytes": 131072
  },
  UpdateImportValues: {
    maxProperties: 60,
    "x-max-bytes": 65536
  },
  UpdateInboundHookMapping: {
    maxProperties: 74
  },
  UpdateMetadataField: {
    status: {
      enum: [
        "active",
        "archived"
      ]
    }
  },
  UpdateSalesCycle: {
    assigned_user_id: {
      maxLength: 100
    }
  },
  UpdateWebhookStatus: {
    enum: [
      "enabled",
      "paused"
    ]
  },
  UpdatedAt: {
    maxLength: 24
  },
  Url: {
    maxLength: 2048
  },
  UserField: {
    enum: [
      "id",
      "name",
      "email",
      "active",
      "external_id",
      "metadata",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  VerificationType: {
    enum: [
      "none",
      "standard_webhooks",
      "hmac_sha256",
      "shared_header",
      "shared_field"
    ]
  },
  WebhookDeliveryField: {
    enum: [
      "id",
      "webhook_id",
      "event_id",
      "event_type",
      "status",
      "attempt_count",
      "next_attempt_at",
      "replay_id",
      "created_at",
      "updated_at"
    ]
  },
  WebhookDeliveryStatus: {
    enum: [
      "pending",
      "succeeded",
      "failed"
    ]
  },
  WebhookDescription: {
    maxLength: 500
  },
  WebhookEventType: {
    enum: [
      "*",
      "lead.*",
      "contact.*",
      "note.*",
      "content.*",
      "user.*",
      "inbound.*",
      "webhook.*",
      "lead.created",
      "lead.updated",
      "lead.status_changed",
      "lead.reopened",
      "lead.sales_cycle_corrected",
      "lead.sales_cycle_deleted",
      "lead.assigned",
      "lead.converted",
      "lead.returned",
      "lead.next_step_due",
      "lead.merged",
      "lead.deleted",
      "contact.created",
      "contact.updated",
      "contact.next_step_due",
      "contact.merged",
      "contact.deleted",
      "note.created",
      "note.updated",
      "note.deleted",
      "content.created",
      "content.updated",
      "content.published",
      "content.unpublished",
      "content.archived",
      "content.deleted",
      "user.created",
      "user.updated",
      "user.deleted",
      "inbound.rejected",
      "webhook.disabled",
      "webhook.test"
    ]
  },
  WebhookField: {
    enum: [
      "id",
      "client_id",
      "url",
      "description",
      "event_types",
      "filter",
      "changed",
      "exclude_own",
      "exclude_actor_ids",
      "header_names",
      "status",
      "retry_schedule",
      "disabled_reason",
      "last_success_at",
      "failing_since",
      "last_failing_since",
      "created_at",
      "updated_at",
      "version"
    ]
  },
  WebhookHeaders: {
    maxProperties: 20
  },
  WebhookReplayField: {
    enum: [
      "id",
      "webhook_id",
      "status",
      "from",
      "to",
      "event_types",
      "only_failed",
      "only_undelivered",
      "progress",
      "deliveries",
      "actor",
      "created_at",
      "updated_at",
      "version",
      "started_at",
      "finished_at",
      "failure"
    ]
  },
  WebhookStatus: {
    enum: [
      "enabled",
      "paused",
      "disabled"
    ]
  },
  WebhookUrl: {
    maxLength: 2048
  }
} as const;

export const parameters = {
  ActingUser: {
    maxLength: 100
  },
  ActorId: {
    maxLength: 100
  },
  ActorUserId: {
    maxLength: 100
  },
  ApiEventFields: {
    maxItems: 100
  },
  ApiKeyFields: {
    maxItems: 100
  },
  ApiKeyId: {
    maxLength: 100
  },
  AssignedUserFilter: {
    maxLength: 100
  },
  AuditLogEntryFields: {
    maxItems: 100
  },
  BulkJobFields: {
    maxItems: 100
  },
  BulkJobId: {
    maxLength: 100
  },
  ClientId: {
    maxLength: 100
  },
  CompanyFilter: {
    maxLength: 200
  },
  ContactDuplicatesCursor: {
    maxLength: 200
  },
  ContactExpand: {
    maxItems: 20
  },
  ContactFields: {
    maxItems: 100
  },
  ContactId: {
    maxLength: 100
  },
  ContactIdFilter: {
    maxLength: 100
  },
  ContactIds: {
    maxItems: 100
  },
  ContentExpand: {
    maxItems: 20
  },
  ContentFields: {
    maxItems: 100
  },
  ContentFilter: {
    maxLength: 100
  },
  ContentId: {
    maxLength: 100
  },
  ContentWithBodyExpand: {
    maxItems: 20
  },
  CurrencyFilter: {
    maxLength: 4
  },
  Cursor: {
    maxLength: 2048
  },
  CycleCurrencyFilter: {
    maxLength: 4
  },
  CycleLostReasonFilter: {
    maxLength: 500
  },
  CycleSourceDetailFilter: {
    maxLength: 100
  },
  DryRun: {
    enum: [
      "true",
      "false"
    ],
    default: "false"
  },
  ErasureFields: {
    maxItems: 100
  },
  EventId: {
    maxLength: 100
  },
  EventTypesFilter: {
    maxItems: 50
  },
  ExpectedCloseFilter: {
    enum: [
      "none"
    ]
  },
  ExternalIdFilter: {
    maxLength: 128
  },
  FurthestStatusFilter: {
    maxItems: 20
  },
  HookToken: {
    maxLength: 100
  },
  IdempotencyKey: {
    maxLength: 255
  },
  IfMatch: {
    maxLength: 2048
  },
  IfNoneMatch: {
    maxLength: 2048
  },
  IfNoneMatchToCreate: {
    maxLength: 2048
  },
  ImportFields: {
    maxItems: 100
  },
  ImportId: {
    maxLength: 100
  },
  InboundDeliveryFields: {
    maxItems: 100
  },
  InboundDeliveryId: {
    maxLength: 100
  },
  InboundHookFields: {
    maxItems: 100
  },
  InboundHookId: {
    maxLength: 100
  },
  LeadDuplicatesCursor: {
    maxLength: 200
  },
  LeadExpand: {
    maxItems: 20
  },
  LeadFields: {
    maxItems: 100
  },
  LeadId: {
    maxLength: 100
  },
  LeadIdFilter: {
    maxLength: 100
  },
  LeadIds: {
    maxItems: 100
  },
  LeadMetadataFilter: {
    maxProperties: 10
  },
  LeadStatusFilter: {
    maxItems: 20
  },
  LeadStatusNot: {
    maxItems: 20
  },
  LostReasonFilter: {
    maxLength: 500
  },
  MetadataFieldFields: {
    maxItems: 100
  },
  MetadataFieldId: {
    maxLength: 100
  },
  MetadataFilter: {
    maxProperties: 10
  },
  NextStepFilter: {
    enum: [
      "none"
    ]
  },
  NoteExpand: {
    maxItems: 20
  },
  NoteFields: {
    maxItems: 100
  },
  NoteKindFilter: {
    maxItems: 20
  },
  OAuthClientFields: {
    maxItems: 100
  },
  Page: {
    maximum: 2147483647
  },
  PerPage: {
    maximum: 100,
    default: 20
  },
  PhoneFilter: {
    maxLength: 100
  },
  SalesCycleExpand: {
    maxItems: 20
  },
  SalesCycleFields: {
    maxItems: 100
  },
  SalesCycleStatusFilter: {
    maxItems: 20
  },
  Search: {
    maxLength: 200
  },
  SourceDetailFilter: {
    maxLength: 100
  },
  SourceFilter: {
    maxItems: 20
  },
  StatusChangeFields: {
    maxItems: 100
  },
  Tag: {
    maxItems: 20
  },
  TagNot: {
    maxItems: 20
  },
  TextMetadataFilter: {
    maxProperties: 10
  },
  TraceparentHeader: {
    maxLength: 55
  },
  UserFields: {
    maxItems: 100
  },
  UserId: {
    maxLength: 100
  },
  WebhookDeliveryFields: {
    maxItems: 100
  },
  WebhookDeliveryId: {
    maxLength: 100
  },
  WebhookFields: {
    maxItems: 100
  },
  WebhookId: {
    maxLength: 100
  },
  WebhookIdHeader: {
    maxLength: 32
  },
  WebhookReplayFields: {
    maxItems: 100
  },
  WebhookReplayId: {
    maxLength: 100
  },
  WebhookSignatureHeader: {
    maxLength: 1000
  },
  WebhookTimestampHeader: {
    maxLength: 20
  }
} as const;
