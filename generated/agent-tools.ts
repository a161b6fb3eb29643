// Generated from openapi/ by `npm run generate`. Do not edit.

import type { JSONValue } from '@modelcontextprotocol/server';
import type { OperationId } from './operations.ts';

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: OperationId;
  readonly level: 'read' | 'write';
  /** Whether a repeated call changes nothing more. */
  readonly isIdempotent: boolean;
  /** The part of the request that each field of the input belongs to. */
  readonly places: Readonly<Record<string, 'path' | 'query' | 'body'>>;
  readonly inputSchema: { type: 'object'; properties: Record<string, Field>; required?: string[] };
}

interface Field {
  [keyword: string]: JSONValue;
}

export const agentTools: readonly AgentTool[] = [
  {
    name: "list_leads",
    title: "List leads",
    description: "Returns a page of leads. The newest lead comes first unless you send `sort`.",
    operation: "listLeads",
    level: "read",
    isIdempotent: true,
    places: {
      per_page: "query",
      cursor: "query",
      status: "query",
      status_not: "query",
      source: "query",
      source_detail: "query",
      tag: "query",
      tag_not: "query",
      metadata: "query",
      search: "query",
      created_from: "query",
      created_to: "query",
      updated_from: "query",
      updated_to: "query",
      reached: "query",
      reached_from: "query",
      reached_to: "query",
      status_changed_from: "query",
      status_changed_to: "query",
      currency: "query",
      value_from: "query",
      value_to: "query",
      expected_close_from: "query",
      expected_close_to: "query",
      expected_close_on: "query",
      assigned_user_id: "query",
      content_id: "query",
      contact_id: "query",
      email: "query",
      phone: "query",
      company: "query",
      external_id: "query",
      ids: "query",
      lost_reason: "query",
      inactive_since: "query",
      next_step_from: "query",
      next_step_to: "query",
      next_step_at: "query",
      sort: "query",
      expand: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        status: {
          type: "array",
          description: "Leads with any of these statuses.",
          items: {
            type: "string",
            enum: [
              "new",
              "contacted",
              "qualified",
              "won",
              "lost"
            ]
          }
        },
        status_not: {
          type: "array",
          description: "Leads with none of these statuses.",
          items: {
            type: "string",
            enum: [
              "new",
              "contacted",
              "qualified",
              "won",
              "lost"
            ]
          }
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        },
        tag_not: {
          type: "array",
          description: "Results with none of these tags. Use `none` for those with any tag.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: "object",
          description: "Results whose `metadata` has these values."
        },
        search: {
          type: "string",
          description: "Finds results that contain all of these words."
        },
        created_from: {
          type: "string",
          description: "Results created at this moment or later. Send an RFC 3339 instant or a date."
        },
        created_to: {
          type: "string",
          description: "Results created at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        updated_from: {
          type: "string",
          description: "Results last changed at this moment or later."
        },
        updated_to: {
          type: "string",
          description: "Results last changed at this moment or earlier."
        },
        reached: {
          type: "string",
          enum: [
            "new",
            "contacted",
            "qualified",
            "won",
            "lost"
          ],
          description: "Leads that ever entered this status or a later one."
        },
        reached_from: {
          type: "string",
          description: "Leads that entered the status in `reached` at this moment or later."
        },
        reached_to: {
          type: "string",
          description: "Leads that entered the status in `reached` at this moment or earlier."
        },
        status_changed_from: {
          type: "string",
          description: "Leads that entered their current status at this moment or later."
        },
        status_changed_to: {
          type: "string",
          description: "Leads that entered their current status at this moment or earlier."
        },
        currency: {
          type: "string",
          description: "Leads with a value in this currency, an ISO 4217 code."
        },
        value_from: {
          type: "string",
          description: "Leads with a value of this amount or more. Requires `currency`."
        },
        value_to: {
          type: "string",
          description: "Leads with a value of this amount or less. Requires `currency`."
        },
        expected_close_from: {
          type: "string",
          format: "date",
          description: "Leads with `expected_close_on` on this day or later."
        },
        expected_close_to: {
          type: "string",
          format: "date",
          description: "Leads with `expected_close_on` on this day or earlier."
        },
        expected_close_on: {
          type: "string",
          enum: [
            "none"
          ],
          description: "With `none`, leads without `expected_close_on`."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        contact_id: {
          type: "string",
          description: "Leads of this contact. Use `none` for leads without a contact."
        },
        email: {
          type: "string",
          format: "email",
          description: "The result with this email address, as `email` or in `other_emails`."
        },
        phone: {
          type: "string",
          description: "Results with this phone number."
        },
        company: {
          type: "string",
          description: "Results of this company: its whole name, in upper or lower case."
        },
        external_id: {
          type: "string",
          description: "The result with this external id."
        },
        ids: {
          type: "array",
          description: "The leads with these ids, at most 100. Ids that don't exist are left out.",
          items: {
            type: "string"
          }
        },
        lost_reason: {
          type: "string",
          description: "Leads with this `lost_reason`: the whole text, in upper or lower case."
        },
        inactive_since: {
          type: "string",
          description: "Leads that nobody has touched since then."
        },
        next_step_from: {
          type: "string",
          description: "Results with a next step at this moment or later."
        },
        next_step_to: {
          type: "string",
          description: "Results with a next step at this moment or earlier."
        },
        next_step_at: {
          type: "string",
          enum: [
            "none"
          ],
          description: "With `none`, results without `next_step_at`."
        },
        sort: {
          type: "string",
          default: "-created_at",
          description: "The field to sort by. A leading `-` means descending."
        },
        expand: {
          type: "array",
          description: "Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is (`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`).",
          items: {
            type: "string",
            enum: [
              "assigned_user",
              "content",
              "contact"
            ]
          }
        }
      }
    }
  },
  {
    name: "create_lead",
    title: "Create a lead",
    description: "Creates a lead.",
    operation: "createLead",
    level: "write",
    isIdempotent: false,
    places: {
      name: "body",
      email: "body",
      other_emails: "body",
      status: "body",
      source: "body",
      source_detail: "body",
      phone: "body",
      company: "body",
      assigned_user_id: "body",
      content_id: "body",
      contact_id: "body",
      external_id: "body",
      lost_reason: "body",
      value: "body",
      expected_close_on: "body",
      next_step: "body",
      next_step_at: "body",
      tags: "body",
      metadata: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        name: {
          type: "string",
          description: "The full name."
        },
        email: {
          type: "string",
          format: "email",
          description: "An email address, whose domain has a dot."
        },
        other_emails: {
          type: "array",
          default: [],
          description: "The person's other email addresses, besides `email`.",
          items: {
            type: "string",
            format: "email"
          }
        },
        status: {
          type: "string",
          enum: [
            "new",
            "contacted",
            "qualified",
            "won",
            "lost"
          ],
          default: "new",
          description: "The status of the lead in the pipeline."
        },
        source: {
          type: "string",
          enum: [
            "api",
            "website",
            "referral",
            "manual"
          ],
          default: "api",
          description: "Where the lead came from."
        },
        source_detail: {
          type: [
            "string",
            "null"
          ],
          description: "More about the source, such as the trade show or the campaign."
        },
        phone: {
          type: [
            "string",
            "null"
          ],
          description: "The phone number with its country code."
        },
        company: {
          type: [
            "string",
            "null"
          ],
          description: "The company or organisation."
        },
        assigned_user_id: {
          type: [
            "string",
            "null"
          ],
          description: "The assigned user, who must be active."
        },
        content_id: {
          type: [
            "string",
            "null"
          ],
          description: "The content that brought the lead."
        },
        contact_id: {
          type: [
            "string",
            "null"
          ],
          description: "The contact to link the lead to. Null unlinks it."
        },
        external_id: {
          type: [
            "string",
            "null"
          ],
          description: "The resource's id in your own system."
        },
        lost_reason: {
          type: [
            "string",
            "null"
          ],
          description: "Why the lead was lost. Only leads with the status `lost` have a reason."
        },
        value: {
          type: [
            "object",
            "null"
          ],
          description: "What the lead is worth if you win it.",
          properties: {
            amount: {
              type: "string"
            },
            currency: {
              type: "string"
            }
          }
        },
        expected_close_on: {
          type: [
            "string",
            "null"
          ],
          format: "date",
          description: "The day on which you expect to win the lead."
        },
        next_step: {
          type: [
            "string",
            "null"
          ],
          description: "What to do next with this person."
        },
        next_step_at: {
          type: [
            "string",
            "null"
          ],
          description: "When to do it, as an RFC 3339 instant or a date."
        },
        tags: {
          type: "array",
          default: [],
          description: "Your tags, without commas. Duplicates are removed.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: "object",
          default: {},
          description: "Your own key-value pairs, at most 16 KiB of JSON in total."
        }
      },
      required: [
        "name",
        "email"
      ]
    }
  },
  {
    name: "get_lead",
    title: "Get a lead",
    description: "Returns a lead.",
    operation: "getLead",
    level: "read",
    isIdempotent: true,
    places: {
      id: "path",
      expand: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the lead."
        },
        expand: {
          type: "array",
          description: "Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is (`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`).",
          items: {
            type: "string",
            enum: [
              "assigned_user",
              "content",
              "contact"
            ]
          }
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "update_lead",
    title: "Update a lead",
    description: "Changes the fields that you send (JSON Merge Patch, RFC 7396).",
    operation: "updateLead",
    level: "write",
    isIdempotent: true,
    places: {
      id: "path",
      name: "body",
      email: "body",
      other_emails: "body",
      status: "body",
      source: "body",
      source_detail: "body",
      phone: "body",
      company: "body",
      assigned_user_id: "body",
      content_id: "body",
      contact_id: "body",
      lost_reason: "body",
      value: "body",
      expected_close_on: "body",
      next_step: "body",
      next_step_at: "body",
      tags: "body",
      metadata: "body",
      external_id: "body",
      add_tags: "body",
      remove_tags: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the lead."
        },
        name: {
          type: "string",
          description: "The full name."
        },
        email: {
          type: "string",
          format: "email",
          description: "An email address, whose domain has a dot."
        },
        other_emails: {
          type: [
            "array",
            "null"
          ],
          description: "The person's other email addresses, besides `email`.",
          items: {
            type: "string",
            format: "email"
          }
        },
        status: {
          type: "string",
          enum: [
            "new",
            "contacted",
            "qualified",
            "won",
            "lost"
          ],
          description: "The status of the lead in the pipeline."
        },
        source: {
          type: "string",
          enum: [
            "api",
            "website",
            "referral",
            "manual"
          ],
          description: "Where the lead came from."
        },
        source_detail: {
          type: [
            "string",
            "null"
          ],
          description: "More about the source, such as the trade show or the campaign."
        },
        phone: {
          type: [
            "string",
            "null"
          ],
          description: "The phone number with its country code."
        },
        company: {
          type: [
            "string",
            "null"
          ],
          description: "The company or organisation."
        },
        assigned_user_id: {
          type: [
            "string",
            "null"
          ],
          description: "The assigned user, who must be active."
        },
        content_id: {
          type: [
            "string",
            "null"
          ],
          description: "The content that brought the lead."
        },
        contact_id: {
          type: [
            "string",
            "null"
          ],
          description: "The contact to link the lead to. Null unlinks it."
        },
        lost_reason: {
          type: [
            "string",
            "null"
          ],
          description: "Why the lead was lost. Only leads with the status `lost` have a reason."
        },
        value: {
          type: [
            "object",
            "null"
          ],
          description: "What the lead is worth if you win it.",
          properties: {
            amount: {
              type: "string"
            },
            currency: {
              type: "string"
            }
          }
        },
        expected_close_on: {
          type: [
            "string",
            "null"
          ],
          format: "date",
          description: "The day on which you expect to win the lead."
        },
        next_step: {
          type: [
            "string",
            "null"
          ],
          description: "What to do next with this person."
        },
        next_step_at: {
          type: [
            "string",
            "null"
          ],
          description: "When to do it, as an RFC 3339 instant or a date."
        },
        tags: {
          type: [
            "array",
            "null"
          ],
          description: "All tags. They replace the existing ones; null removes them.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: [
            "object",
            "null"
          ],
          description: "Values to set or remove. The service merges them with the existing ones."
        },
        external_id: {
          type: [
            "string",
            "null"
          ],
          description: "The resource's id in your own system."
        },
        add_tags: {
          type: "array",
          description: "Tags to add. The other tags stay. Not together with `tags`.",
          items: {
            type: "string"
          }
        },
        remove_tags: {
          type: "array",
          description: "Tags to remove. The other tags stay. Not together with `tags`.",
          items: {
            type: "string"
          }
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "convert_lead",
    title: "Convert a lead to a contact",
    description: "Links the lead to the contact in `contact_id`.",
    operation: "convertLead",
    level: "write",
    isIdempotent: false,
    places: {
      id: "path",
      contact_id: "body",
      status: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the lead."
        },
        contact_id: {
          type: [
            "string",
            "null"
          ],
          description: "The contact to link the lead to."
        },
        status: {
          type: "string",
          enum: [
            "new",
            "contacted",
            "qualified",
            "won"
          ],
          description: "The new status of the lead. Without it, the lead keeps its status."
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "reopen_lead",
    title: "Reopen a lead",
    description: "Begins the next sales cycle of a won or lost lead.",
    operation: "reopenLead",
    level: "write",
    isIdempotent: false,
    places: {
      id: "path",
      status: "body",
      value: "body",
      source: "body",
      source_detail: "body",
      content_id: "body",
      assigned_user_id: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the lead."
        },
        status: {
          type: "string",
          enum: [
            "new",
            "contacted",
            "qualified"
          ],
          default: "new",
          description: "The status of the lead."
        },
        value: {
          type: [
            "object",
            "null"
          ],
          description: "What the lead is worth if you win it.",
          properties: {
            amount: {
              type: "string"
            },
            currency: {
              type: "string"
            }
          }
        },
        source: {
          type: "string",
          enum: [
            "api",
            "website",
            "referral",
            "manual"
          ],
          description: "Where the lead came from."
        },
        source_detail: {
          type: [
            "string",
            "null"
          ],
          description: "More about the source, such as the trade show or the campaign."
        },
        content_id: {
          type: [
            "string",
            "null"
          ],
          description: "The content that brought the lead."
        },
        assigned_user_id: {
          type: [
            "string",
            "null"
          ],
          description: "The assigned user, who must be active."
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "list_lead_events",
    title: "List a lead's history",
    description: "Returns the events of the lead and of its notes from the last 90 days, the newest first.",
    operation: "listLeadEvents",
    level: "read",
    isIdempotent: true,
    places: {
      id: "path",
      per_page: "query",
      cursor: "query",
      event_types: "query",
      actor_id: "query",
      actor_user_id: "query",
      occurred_from: "query",
      occurred_to: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the lead."
        },
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        event_types: {
          type: "array",
          description: "Events of any of these types.",
          items: {
            type: "string"
          }
        },
        actor_id: {
          type: "string",
          description: "What this API client or inbound hook did."
        },
        actor_user_id: {
          type: "string",
          description: "What was done on behalf of this user."
        },
        occurred_from: {
          type: "string",
          description: "What happened at this moment or later. Send an RFC 3339 instant or a date."
        },
        occurred_to: {
          type: "string",
          description: "What happened at this moment or earlier. Send an RFC 3339 instant or a date."
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "list_contacts",
    title: "List contacts",
    description: "Returns a page of contacts.",
    operation: "listContacts",
    level: "read",
    isIdempotent: true,
    places: {
      per_page: "query",
      cursor: "query",
      tag: "query",
      tag_not: "query",
      metadata: "query",
      search: "query",
      created_from: "query",
      created_to: "query",
      updated_from: "query",
      updated_to: "query",
      assigned_user_id: "query",
      email: "query",
      phone: "query",
      company: "query",
      external_id: "query",
      ids: "query",
      has_open_leads: "query",
      next_step_from: "query",
      next_step_to: "query",
      next_step_at: "query",
      sort: "query",
      expand: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        },
        tag_not: {
          type: "array",
          description: "Results with none of these tags. Use `none` for those with any tag.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: "object",
          description: "Results whose `metadata` has these values."
        },
        search: {
          type: "string",
          description: "Finds results that contain all of these words."
        },
        created_from: {
          type: "string",
          description: "Results created at this moment or later. Send an RFC 3339 instant or a date."
        },
        created_to: {
          type: "string",
          description: "Results created at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        updated_from: {
          type: "string",
          description: "Results last changed at this moment or later."
        },
        updated_to: {
          type: "string",
          description: "Results last changed at this moment or earlier."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        email: {
          type: "string",
          format: "email",
          description: "The result with this email address, as `email` or in `other_emails`."
        },
        phone: {
          type: "string",
          description: "Results with this phone number."
        },
        company: {
          type: "string",
          description: "Results of this company: its whole name, in upper or lower case."
        },
        external_id: {
          type: "string",
          description: "The result with this external id."
        },
        ids: {
          type: "array",
          description: "The contacts with these ids, at most 100. Ids that don't exist are left out.",
          items: {
            type: "string"
          }
        },
        has_open_leads: {
          type: "boolean",
          description: "With `true`, contacts with at least one open lead: its `contact_id` is the contact, and it is neither won nor lost."
        },
        next_step_from: {
          type: "string",
          description: "Results with a next step at this moment or later."
        },
        next_step_to: {
          type: "string",
          description: "Results with a next step at this moment or earlier."
        },
        next_step_at: {
          type: "string",
          enum: [
            "none"
          ],
          description: "With `none`, results without `next_step_at`."
        },
        sort: {
          type: "string",
          default: "-created_at",
          description: "The field to sort by. A leading `-` means descending."
        },
        expand: {
          type: "array",
          description: "Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is (`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`).",
          items: {
            type: "string",
            enum: [
              "assigned_user"
            ]
          }
        }
      }
    }
  },
  {
    name: "create_contact",
    title: "Create a contact",
    description: "Creates a contact and returns it with all fields. The email address is optional.",
    operation: "createContact",
    level: "write",
    isIdempotent: false,
    places: {
      name: "body",
      email: "body",
      other_emails: "body",
      phone: "body",
      company: "body",
      title: "body",
      next_step: "body",
      next_step_at: "body",
      assigned_user_id: "body",
      external_id: "body",
      tags: "body",
      metadata: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        name: {
          type: "string",
          description: "The full name."
        },
        email: {
          type: [
            "string",
            "null"
          ],
          format: "email",
          description: "The email address, whose domain has a dot."
        },
        other_emails: {
          type: "array",
          default: [],
          description: "The person's other email addresses, besides `email`.",
          items: {
            type: "string",
            format: "email"
          }
        },
        phone: {
          type: [
            "string",
            "null"
          ],
          description: "The phone number with its country code."
        },
        company: {
          type: [
            "string",
            "null"
          ],
          description: "The company or organisation."
        },
        title: {
          type: [
            "string",
            "null"
          ],
          description: "The job title."
        },
        next_step: {
          type: [
            "string",
            "null"
          ],
          description: "What to do next with this person."
        },
        next_step_at: {
          type: [
            "string",
            "null"
          ],
          description: "When to do it, as an RFC 3339 instant or a date."
        },
        assigned_user_id: {
          type: [
            "string",
            "null"
          ],
          description: "The assigned user, who must be active."
        },
        external_id: {
          type: [
            "string",
            "null"
          ],
          description: "The resource's id in your own system."
        },
        tags: {
          type: "array",
          default: [],
          description: "Your tags, without commas. Duplicates are removed.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: "object",
          default: {},
          description: "Your own key-value pairs, at most 16 KiB of JSON in total."
        }
      },
      required: [
        "name"
      ]
    }
  },
  {
    name: "get_contact",
    title: "Get a contact",
    description: "Returns a contact.",
    operation: "getContact",
    level: "read",
    isIdempotent: true,
    places: {
      id: "path",
      expand: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the contact."
        },
        expand: {
          type: "array",
          description: "Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is (`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`).",
          items: {
            type: "string",
            enum: [
              "assigned_user"
            ]
          }
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "update_contact",
    title: "Update a contact",
    description: "Changes the fields that you send (JSON Merge Patch, RFC 7396).",
    operation: "updateContact",
    level: "write",
    isIdempotent: true,
    places: {
      id: "path",
      name: "body",
      email: "body",
      other_emails: "body",
      phone: "body",
      company: "body",
      title: "body",
      next_step: "body",
      next_step_at: "body",
      assigned_user_id: "body",
      tags: "body",
      metadata: "body",
      external_id: "body",
      add_tags: "body",
      remove_tags: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        id: {
          type: "string",
          description: "The id of the contact."
        },
        name: {
          type: "string",
          description: "The full name."
        },
        email: {
          type: [
            "string",
            "null"
          ],
          format: "email",
          description: "The email address, whose domain has a dot."
        },
        other_emails: {
          type: [
            "array",
            "null"
          ],
          description: "The person's other email addresses, besides `email`.",
          items: {
            type: "string",
            format: "email"
          }
        },
        phone: {
          type: [
            "string",
            "null"
          ],
          description: "The phone number with its country code."
        },
        company: {
          type: [
            "string",
            "null"
          ],
          description: "The company or organisation."
        },
        title: {
          type: [
            "string",
            "null"
          ],
          description: "The job title."
        },
        next_step: {
          type: [
            "string",
            "null"
          ],
          description: "What to do next with this person."
        },
        next_step_at: {
          type: [
            "string",
            "null"
          ],
          description: "When to do it, as an RFC 3339 instant or a date."
        },
        assigned_user_id: {
          type: [
            "string",
            "null"
          ],
          description: "The assigned user, who must be active."
        },
        tags: {
          type: [
            "array",
            "null"
          ],
          description: "All tags. They replace the existing ones; null removes them.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: [
            "object",
            "null"
          ],
          description: "Values to set or remove. The service merges them with the existing ones."
        },
        external_id: {
          type: [
            "string",
            "null"
          ],
          description: "The resource's id in your own system."
        },
        add_tags: {
          type: "array",
          description: "Tags to add. The other tags stay. Not together with `tags`.",
          items: {
            type: "string"
          }
        },
        remove_tags: {
          type: "array",
          description: "Tags to remove. The other tags stay. Not together with `tags`.",
          items: {
            type: "string"
          }
        }
      },
      required: [
        "id"
      ]
    }
  },
  {
    name: "list_metadata_fields",
    title: "List metadata fields",
    description: "Returns a page of the declared keys of metadata.",
    operation: "listMetadataFields",
    level: "read",
    isIdempotent: true,
    places: {
      per_page: "query",
      cursor: "query",
      resource: "query",
      key: "query",
      status: "query",
      created_from: "query",
      created_to: "query",
      updated_from: "query",
      updated_to: "query",
      sort: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        resource: {
          type: "string",
          enum: [
            "leads",
            "contacts",
            "content"
          ],
          description: "Fields of this resource."
        },
        key: {
          type: "string",
          description: "The field with exactly this key."
        },
        status: {
          type: "array",
          description: "Results with any of these statuses.",
          items: {
            type: "string",
            enum: [
              "converting",
              "active",
              "archived"
            ]
          }
        },
        created_from: {
          type: "string",
          description: "Results created at this moment or later. Send an RFC 3339 instant or a date."
        },
        created_to: {
          type: "string",
          description: "Results created at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        updated_from: {
          type: "string",
          description: "Results last changed at this moment or later."
        },
        updated_to: {
          type: "string",
          description: "Results last changed at this moment or earlier."
        },
        sort: {
          type: "string",
          enum: [
            "created_at",
            "-created_at",
            "updated_at",
            "-updated_at"
          ],
          default: "-created_at",
          description: "The field to sort by. A leading `-` means descending."
        }
      }
    }
  },
  {
    name: "list_content",
    title: "List content",
    description: "Returns a page of content.",
    operation: "listContent",
    level: "read",
    isIdempotent: true,
    places: {
      per_page: "query",
      cursor: "query",
      status: "query",
      type: "query",
      language: "query",
      tag: "query",
      tag_not: "query",
      metadata: "query",
      search: "query",
      created_from: "query",
      created_to: "query",
      updated_from: "query",
      updated_to: "query",
      published_from: "query",
      published_to: "query",
      author_user_id: "query",
      slug: "query",
      sort: "query",
      expand: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        status: {
          type: "array",
          description: "Content with any of these statuses.",
          items: {
            type: "string",
            enum: [
              "draft",
              "published",
              "archived"
            ]
          }
        },
        type: {
          type: "array",
          description: "Content of any of these types.",
          items: {
            type: "string",
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
          }
        },
        language: {
          type: "array",
          description: "Content in any of these languages.",
          items: {
            type: "string"
          }
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        },
        tag_not: {
          type: "array",
          description: "Results with none of these tags. Use `none` for those with any tag.",
          items: {
            type: "string"
          }
        },
        metadata: {
          type: "object",
          description: "Results whose `metadata` has these values."
        },
        search: {
          type: "string",
          description: "Finds results that contain all of these words."
        },
        created_from: {
          type: "string",
          description: "Results created at this moment or later. Send an RFC 3339 instant or a date."
        },
        created_to: {
          type: "string",
          description: "Results created at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        updated_from: {
          type: "string",
          description: "Results last changed at this moment or later."
        },
        updated_to: {
          type: "string",
          description: "Results last changed at this moment or earlier."
        },
        published_from: {
          type: "string",
          description: "Content published at this moment or later. Send an RFC 3339 instant or a date."
        },
        published_to: {
          type: "string",
          description: "Content published at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        author_user_id: {
          type: "string",
          description: "Content by this author. Use `none` for content without an author."
        },
        slug: {
          type: "string",
          description: "The content with this slug."
        },
        sort: {
          type: "string",
          default: "-created_at",
          description: "The field to sort by. A leading `-` means descending."
        },
        expand: {
          type: "array",
          description: "Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is (`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`).",
          items: {
            type: "string",
            enum: [
              "author_user"
            ]
          }
        }
      }
    }
  },
  {
    name: "list_notes",
    title: "List notes",
    description: "Returns a page of notes. The newest note comes first unless you send `sort`.",
    operation: "listNotes",
    level: "read",
    isIdempotent: true,
    places: {
      per_page: "query",
      cursor: "query",
      lead_id: "query",
      contact_id: "query",
      author_id: "query",
      author_user_id: "query",
      pinned: "query",
      kind: "query",
      direction: "query",
      occurred_from: "query",
      occurred_to: "query",
      created_from: "query",
      created_to: "query",
      updated_from: "query",
      updated_to: "query",
      sort: "query",
      expand: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        lead_id: {
          type: "string",
          description: "The notes about this lead."
        },
        contact_id: {
          type: "string",
          description: "The notes about this contact."
        },
        author_id: {
          type: "string",
          description: "The notes that this API client or inbound hook created."
        },
        author_user_id: {
          type: "string",
          description: "The notes that were created on behalf of this user."
        },
        pinned: {
          type: "boolean",
          description: "Notes that are pinned (`true`) or not pinned (`false`)."
        },
        kind: {
          type: "array",
          description: "Notes of any of these kinds.",
          items: {
            type: "string",
            enum: [
              "note",
              "call",
              "email",
              "meeting",
              "message"
            ]
          }
        },
        direction: {
          type: "string",
          enum: [
            "inbound",
            "outbound"
          ],
          description: "Notes with this `direction`."
        },
        occurred_from: {
          type: "string",
          description: "Notes about something at this moment or later."
        },
        occurred_to: {
          type: "string",
          description: "Notes about something at this moment or earlier."
        },
        created_from: {
          type: "string",
          description: "Results created at this moment or later. Send an RFC 3339 instant or a date."
        },
        created_to: {
          type: "string",
          description: "Results created at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        updated_from: {
          type: "string",
          description: "Results last changed at this moment or later."
        },
        updated_to: {
          type: "string",
          description: "Results last changed at this moment or earlier."
        },
        sort: {
          type: "string",
          enum: [
            "created_at",
            "-created_at",
            "updated_at",
            "-updated_at"
          ],
          default: "-created_at",
          description: "The field to sort by. A leading `-` means descending."
        },
        expand: {
          type: "array",
          description: "Adds what these ids name, as a field called like the id without `_id`: who a user, lead or contact is (`id`, `name`, `email`), or which content (`id`, `title`, `type`, `url`).",
          items: {
            type: "string",
            enum: [
              "lead",
              "contact",
              "author_user"
            ]
          }
        }
      }
    }
  },
  {
    name: "create_note",
    title: "Create a note",
    description: "Records what was said or agreed.",
    operation: "createNote",
    level: "write",
    isIdempotent: false,
    places: {
      lead_id: "body",
      contact_id: "body",
      text: "body",
      pinned: "body",
      kind: "body",
      direction: "body",
      occurred_at: "body",
      duration_seconds: "body",
      external_id: "body",
      author_name: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        lead_id: {
          type: "string",
          description: "The lead that the note is about."
        },
        contact_id: {
          type: "string",
          description: "The contact that the note is about."
        },
        text: {
          type: "string",
          description: "What the note says."
        },
        pinned: {
          type: "boolean",
          default: false,
          description: "Whether to show the note above the others. The filter `pinned` finds such notes."
        },
        kind: {
          type: "string",
          enum: [
            "note",
            "call",
            "email",
            "meeting",
            "message"
          ],
          default: "note",
          description: "What the note is about. New kinds may be added."
        },
        direction: {
          type: [
            "string",
            "null"
          ],
          enum: [
            "inbound",
            "outbound",
            null
          ],
          description: "Who began the call or wrote the message: the other person (`inbound`) or your team (`outbound`)."
        },
        occurred_at: {
          type: "string",
          description: "When it took place. Now, if you leave it out. Not in the future."
        },
        duration_seconds: {
          type: [
            "integer",
            "null"
          ],
          maximum: 604800,
          description: "How long it took, in seconds."
        },
        external_id: {
          type: [
            "string",
            "null"
          ],
          description: "The note's id in another system. No other note may have the same."
        },
        author_name: {
          type: [
            "string",
            "null"
          ],
          description: "The person who wrote the note, if it comes from another system."
        }
      },
      required: [
        "text"
      ]
    }
  },
  {
    name: "list_users",
    title: "List users",
    description: "Returns a page of users. The newest user comes first unless you send `sort`.",
    operation: "listUsers",
    level: "read",
    isIdempotent: true,
    places: {
      per_page: "query",
      cursor: "query",
      active: "query",
      email: "query",
      external_id: "query",
      metadata: "query",
      search: "query",
      created_from: "query",
      created_to: "query",
      updated_from: "query",
      updated_to: "query",
      sort: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        per_page: {
          type: "integer",
          maximum: 100,
          default: 20,
          description: "The number of results on a page."
        },
        cursor: {
          type: "string",
          description: "Continues a list where the last page ended."
        },
        active: {
          type: "boolean",
          description: "`true` for active users only, `false` for inactive ones only."
        },
        email: {
          type: "string",
          format: "email",
          description: "The result with this email address, as `email` or in `other_emails`."
        },
        external_id: {
          type: "string",
          description: "The result with this external id."
        },
        metadata: {
          type: "object",
          description: "Results whose `metadata` has these values."
        },
        search: {
          type: "string",
          description: "Finds results that contain all of these words."
        },
        created_from: {
          type: "string",
          description: "Results created at this moment or later. Send an RFC 3339 instant or a date."
        },
        created_to: {
          type: "string",
          description: "Results created at this moment or earlier. Send an RFC 3339 instant or a date."
        },
        updated_from: {
          type: "string",
          description: "Results last changed at this moment or later."
        },
        updated_to: {
          type: "string",
          description: "Results last changed at this moment or earlier."
        },
        sort: {
          type: "string",
          enum: [
            "created_at",
            "-created_at",
            "updated_at",
            "-updated_at",
            "name",
            "-name"
          ],
          default: "-created_at",
          description: "The field to sort by. A leading `-` means descending."
        }
      }
    }
  },
  {
    name: "get_analytics_summary",
    title: "Get the summary",
    description: "Returns the key figures of the period, and what is open now.",
    operation: "getAnalyticsSummary",
    level: "read",
    isIdempotent: true,
    places: {
      from: "query",
      to: "query",
      timezone: "query",
      source: "query",
      source_detail: "query",
      assigned_user_id: "query",
      content_id: "query",
      tag: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        from: {
          type: "string",
          format: "date",
          description: "The first day, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        to: {
          type: "string",
          format: "date",
          description: "The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        }
      }
    }
  },
  {
    name: "get_analytics_funnel",
    title: "Get the funnel",
    description: "Returns how far the leads created in the period progressed.",
    operation: "getAnalyticsFunnel",
    level: "read",
    isIdempotent: true,
    places: {
      from: "query",
      to: "query",
      timezone: "query",
      source: "query",
      source_detail: "query",
      assigned_user_id: "query",
      content_id: "query",
      tag: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        from: {
          type: "string",
          format: "date",
          description: "The first day, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        to: {
          type: "string",
          format: "date",
          description: "The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        }
      }
    }
  },
  {
    name: "get_analytics_timeseries",
    title: "Get a time series",
    description: "Returns what happened in each day, week (from Monday) or month.",
    operation: "getAnalyticsTimeseries",
    level: "read",
    isIdempotent: true,
    places: {
      from: "query",
      to: "query",
      timezone: "query",
      source: "query",
      source_detail: "query",
      assigned_user_id: "query",
      content_id: "query",
      tag: "query",
      interval: "query",
      group_by: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        from: {
          type: "string",
          format: "date",
          description: "The first day, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        to: {
          type: "string",
          format: "date",
          description: "The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        },
        interval: {
          type: "string",
          enum: [
            "day",
            "week",
            "month"
          ],
          default: "day",
          description: "The length of a period."
        },
        group_by: {
          type: "string",
          default: "none",
          description: "What the figures of a period are broken down by."
        }
      }
    }
  },
  {
    name: "get_analytics_pipeline",
    title: "Get the pipeline in money",
    description: "Returns the number of open leads and their total value, for each status and currency, as they are now.",
    operation: "getAnalyticsPipeline",
    level: "read",
    isIdempotent: true,
    places: {
      timezone: "query",
      search: "query",
      source: "query",
      source_detail: "query",
      assigned_user_id: "query",
      content_id: "query",
      tag: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        search: {
          type: "string",
          description: "Finds results that contain all of these words."
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        }
      }
    }
  },
  {
    name: "get_analytics_forecast",
    title: "Get the forecast",
    description: "Returns the value of the leads in the pipeline, by the month of `expected_close_on` and by currency: use it for what may come in, and when.",
    operation: "getAnalyticsForecast",
    level: "read",
    isIdempotent: true,
    places: {
      months: "query",
      timezone: "query",
      search: "query",
      source: "query",
      source_detail: "query",
      assigned_user_id: "query",
      content_id: "query",
      tag: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        months: {
          type: "integer",
          maximum: 36,
          default: 12,
          description: "How many months have a separate row, including the current one."
        },
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        search: {
          type: "string",
          description: "Finds results that contain all of these words."
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        }
      }
    }
  },
  {
    name: "get_analytics_breakdown",
    title: "Break the figures down",
    description: "Returns what happened in the period, for each source, user, piece of content or what else `group_by` says.",
    operation: "getAnalyticsBreakdown",
    level: "read",
    isIdempotent: true,
    places: {
      group_by: "query",
      from: "query",
      to: "query",
      timezone: "query",
      source: "query",
      source_detail: "query",
      assigned_user_id: "query",
      content_id: "query",
      tag: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        group_by: {
          type: "string",
          default: "source",
          description: "What the figures are broken down by."
        },
        from: {
          type: "string",
          format: "date",
          description: "The first day, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        to: {
          type: "string",
          format: "date",
          description: "The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        source: {
          type: "array",
          description: "Leads from any of these sources.",
          items: {
            type: "string",
            enum: [
              "api",
              "website",
              "referral",
              "manual"
            ]
          }
        },
        source_detail: {
          type: "string",
          description: "Leads with exactly this `source_detail`. Use `none` for leads without one."
        },
        assigned_user_id: {
          type: "string",
          description: "Results assigned to this user. Use `none` for unassigned results."
        },
        content_id: {
          type: "string",
          description: "Leads that came from this content."
        },
        tag: {
          type: "array",
          description: "Results with any of these tags. Use `none` for those without tags.",
          items: {
            type: "string"
          }
        }
      }
    }
  },
  {
    name: "get_analytics_activity",
    title: "Count calls, meetings and messages",
    description: "Returns the notes about what took place in the period (`occurred_at`), for each user on whose behalf they were created, and each kind.",
    operation: "getAnalyticsActivity",
    level: "read",
    isIdempotent: true,
    places: {
      from: "query",
      to: "query",
      timezone: "query",
      kind: "query",
      author_user_id: "query"
    },
    inputSchema: {
      type: "object",
      properties: {
        from: {
          type: "string",
          format: "date",
          description: "The first day, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        to: {
          type: "string",
          format: "date",
          description: "The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31."
        },
        timezone: {
          type: "string",
          default: "UTC",
          description: "The IANA timezone of the days, UTC by default."
        },
        kind: {
          type: "array",
          description: "Notes of any of these kinds.",
          items: {
            type: "string",
            enum: [
              "note",
              "call",
              "email",
              "meeting",
              "message"
            ]
          }
        },
        author_user_id: {
          type: "string",
          description: "The notes that were created on behalf of this user."
        }
      }
    }
  },
  {
    name: "look_up_person",
    title: "Get everything about a person",
    description: "Returns what is stored about the person with this email address.",
    operation: "lookUpPerson",
    level: "read",
    isIdempotent: true,
    places: {
      email: "body"
    },
    inputSchema: {
      type: "object",
      properties: {
        email: {
          type: "string",
          format: "email",
          description: "An email address, whose domain has a dot."
        }
      },
      required: [
        "email"
      ]
    }
  }
];
