// Generated from openapi/ by `npm run generate`. Do not edit.

import type { components } from './api.ts';

export const eventTypes: components['schemas']['EventTypeDescription'][] = [
  {
    type: "lead.created",
    description: "A lead was created by a client or an inbound hook. `changes` is empty.",
    example: {
      type: "lead.created",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T09:30:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "new",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-20T09:30:00.000Z",
          first_contacted_at: null,
          first_qualified_at: null,
          first_won_at: null,
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "lead.updated",
    description: "A lead was updated. You get this event for every change. More specific events of the same change follow it. When\na contact is deleted, each of its leads is updated too.",
    example: {
      type: "lead.updated",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-21T10:15:30.250Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "new",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines Ltd",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-20T09:30:00.000Z",
          first_contacted_at: null,
          first_qualified_at: null,
          first_won_at: null,
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-21T10:15:30.250Z",
          version: 2
        },
        changes: {
          company: {
            from: "Analytical Engines",
            to: "Analytical Engines Ltd"
          }
        }
      }
    }
  },
  {
    type: "lead.status_changed",
    description: "A lead changed its status. `changes` has `status` and `status_changed_at`. It also has `lost_reason`,\n`first_contacted_at`, `first_qualified_at`, `first_won_at` and `first_lost_at` if they changed.",
    example: {
      type: "lead.status_changed",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-22T08:00:00.125Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "contacted",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-22T08:00:00.125Z",
          first_contacted_at: "2026-11-22T08:00:00.125Z",
          first_qualified_at: null,
          first_won_at: null,
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-22T08:00:00.125Z",
          version: 2
        },
        changes: {
          status: {
            from: "new",
            to: "contacted"
          },
          status_changed_at: {
            from: "2026-11-20T09:30:00.000Z",
            to: "2026-11-22T08:00:00.125Z"
          },
          first_contacted_at: {
            from: null,
            to: "2026-11-22T08:00:00.125Z"
          }
        }
      }
    }
  },
  {
    type: "lead.reopened",
    description: "A won or lost lead is open again, in its next sales cycle. `changes` has `status` and `sales_cycle`, and `value`,\n`expected_close_on` and `lost_reason` if they changed.",
    example: {
      type: "lead.reopened",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T12:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "new",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: null,
          expected_close_on: null,
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-12-01T12:00:00.000Z",
          first_contacted_at: "2026-11-22T08:00:00.125Z",
          first_qualified_at: "2026-11-23T10:15:00.000Z",
          first_won_at: "2026-11-24T15:05:12.480Z",
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0fa6y2d4h8k1p5s9v",
            number: 2,
            opened_at: "2026-12-01T12:00:00.000Z"
          },
          sales_cycles_won: 1,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-12-01T12:00:00.000Z",
          version: 5
        },
        changes: {
          status: {
            from: "won",
            to: "new"
          },
          sales_cycle: {
            from: {
              id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
              number: 1,
              opened_at: "2026-11-20T09:30:00.000Z"
            },
            to: {
              id: "cycle_01m7w4n5e0fa6y2d4h8k1p5s9v",
              number: 2,
              opened_at: "2026-12-01T12:00:00.000Z"
            }
          }
        }
      }
    }
  },
  {
    type: "lead.sales_cycle_corrected",
    description: "A closed sales cycle was corrected, or it was withdrawn that it was closed. `object` is the sales cycle, and\n`changes` has what changed in it. The event belongs to the history of the lead.",
    example: {
      type: "lead.sales_cycle_corrected",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-25T09:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
          lead_id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          number: 1,
          status: "won",
          furthest_status: "won",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          lost_reason: null,
          value: {
            amount: "1400.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          external_id: "deal-4711",
          opened_at: "2026-11-20T09:30:00.000Z",
          closed_at: "2026-11-24T15:05:12.480Z",
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-25T09:00:00.000Z",
          version: 1
        },
        changes: {
          value: {
            from: {
              amount: "1250.00",
              currency: "EUR"
            },
            to: {
              amount: "1400.00",
              currency: "EUR"
            }
          }
        }
      }
    }
  },
  {
    type: "lead.sales_cycle_deleted",
    description: "It was withdrawn that a sales cycle was opened. `object` has its id and that of its lead, and `lead.updated` says\nwhat the lead is now. The event belongs to the history of the lead.",
    example: {
      type: "lead.sales_cycle_deleted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T12:01:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
          lead_id: "lead_01m7w4n5e0e3tajy9kep34bze2"
        },
        changes: {}
      }
    }
  },
  {
    type: "lead.assigned",
    description: "A lead was assigned to another user, or to nobody. `changes` has `assigned_user_id`.",
    example: {
      type: "lead.assigned",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-22T08:30:00.500Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "new",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0f3ms1x6q2m9w7d4k",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-20T09:30:00.000Z",
          first_contacted_at: null,
          first_qualified_at: null,
          first_won_at: null,
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-22T08:30:00.500Z",
          version: 3
        },
        changes: {
          assigned_user_id: {
            from: "user_01m7w4n5e0eymtkc82hvhg0xb9",
            to: "user_01m7w4n5e0f3ms1x6q2m9w7d4k"
          }
        }
      }
    }
  },
  {
    type: "lead.converted",
    description: "A lead was converted to a contact. `changes` has `contact_id`. Setting the field `contact_id` gives only\n`lead.updated`.",
    example: {
      type: "lead.converted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-24T15:05:12.480Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "won",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: "contact_01m7w4n5e0fymt8j463c8gepsz",
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-24T15:05:12.480Z",
          first_contacted_at: "2026-11-22T08:00:00.125Z",
          first_qualified_at: "2026-11-23T10:15:00.000Z",
          first_won_at: "2026-11-24T15:05:12.480Z",
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-24T15:05:12.480Z",
          version: 4
        },
        changes: {
          contact_id: {
            from: null,
            to: "contact_01m7w4n5e0fymt8j463c8gepsz"
          }
        }
      }
    }
  },
  {
    type: "lead.returned",
    description: "An inbound hook received data of a person who is a lead already. The enquiry overwrote nothing. Its message, and\nwhat it says differently, are a new note: its `note.created` event has the same `request_id`. `object` is the\nlead, and `changes` is empty. If the enquiry filled empty fields of the lead, a `lead.updated` event has them.",
    example: {
      type: "lead.returned",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-24T16:20:45.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "hook",
        id: "hook_01m7w4n5e0fsb8fz3v1cgq6c9t",
        user_id: null
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "new",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-20T09:30:00.000Z",
          first_contacted_at: null,
          first_qualified_at: null,
          first_won_at: null,
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "lead.next_step_due",
    description: "The time in `next_step_at` of a lead has come. Each time is told once, and not if it was already past when somebody\nset it. Nothing has changed: `changes` is empty, and the lead keeps its `version`.",
    example: {
      type: "lead.next_step_due",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T09:00:00.250Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "system",
        id: null,
        user_id: null
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          status: "new",
          source: "website",
          source_detail: "Trade show Berlin",
          company: "Analytical Engines",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          content_id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          contact_id: null,
          external_id: "crm-4711",
          lost_reason: null,
          value: {
            amount: "1250.00",
            currency: "EUR"
          },
          expected_close_on: "2027-01-31",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          status_changed_at: "2026-11-20T09:30:00.000Z",
          first_contacted_at: null,
          first_qualified_at: null,
          first_won_at: null,
          first_lost_at: null,
          sales_cycle: {
            id: "cycle_01m7w4n5e0f2v8x4c6n1b7m3kz",
            number: 1,
            opened_at: "2026-11-20T09:30:00.000Z"
          },
          sales_cycles_won: 0,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "lead.merged",
    description: "A lead was merged into another one. `object` has its id, and the id of the lead that stayed in `merged_into`. The\nevent belongs to the history of the lead that stayed. `lead.deleted` follows, and `lead.updated` for the lead that\nstayed. If your system refers to the merged lead, let it refer to the other one.",
    example: {
      type: "lead.merged",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T12:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0ea9bcm473x5b9fx3",
          merged_into: "lead_01m7w4n5e0e3tajy9kep34bze2"
        },
        changes: {}
      }
    }
  },
  {
    type: "lead.deleted",
    description: "A lead was deleted. `object` has only its id. The service has erased personal data from its earlier events,\nexcept after a merge (a `lead.merged` event comes first). If you keep a copy, erase yours too.",
    example: {
      type: "lead.deleted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T12:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "lead_01m7w4n5e0e3tajy9kep34bze2"
        },
        changes: {}
      }
    }
  },
  {
    type: "contact.created",
    description: "A contact was created by a client or by the conversion of a lead. `changes` is empty.",
    example: {
      type: "contact.created",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T09:30:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "contact_01m7w4n5e0fymt8j463c8gepsz",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          company: "Analytical Engines",
          title: "Head of Engineering",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          external_id: "crm-4711",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "contact.updated",
    description: "A contact was updated. `changes` has the fields that changed.",
    example: {
      type: "contact.updated",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-25T09:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "contact_01m7w4n5e0fymt8j463c8gepsz",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          company: "Analytical Engines",
          title: "Head of Engineering",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          external_id: "crm-4711",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-25T09:00:00.000Z",
          version: 2
        },
        changes: {
          title: {
            from: null,
            to: "Head of Engineering"
          }
        }
      }
    }
  },
  {
    type: "contact.next_step_due",
    description: "The time in `next_step_at` of a contact has come. Each time is told once, and not if it was already past when\nsomebody set it. Nothing has changed: `changes` is empty, and the contact keeps its `version`.",
    example: {
      type: "contact.next_step_due",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T09:00:00.250Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "system",
        id: null,
        user_id: null
      },
      data: {
        object: {
          id: "contact_01m7w4n5e0fymt8j463c8gepsz",
          name: "Ada Lovelace",
          email: "ada@example.com",
          other_emails: [
            "ada@home.example.com"
          ],
          phone: "+4915112345678",
          company: "Analytical Engines",
          title: "Head of Engineering",
          tags: [
            "vip",
            "newsletter"
          ],
          assigned_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          external_id: "crm-4711",
          next_step: "Send the contract",
          next_step_at: "2026-12-01T09:00:00.000Z",
          metadata: {
            plan: "enterprise"
          },
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "contact.merged",
    description: "A contact was merged into another one. `object` has its id, and the id of the contact that stayed in `merged_into`. The\nevent belongs to the history of the contact that stayed. `contact.deleted` follows, and `contact.updated` for the contact that\nstayed. If your system refers to the merged contact, let it refer to the other one.",
    example: {
      type: "contact.merged",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T12:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "contact_01m7w4n5e0f8r2k6vqxn3j5tpd",
          merged_into: "contact_01m7w4n5e0fymt8j463c8gepsz"
        },
        changes: {}
      }
    }
  },
  {
    type: "contact.deleted",
    description: "A contact was deleted. `object` has only its id. The service has erased personal data from its earlier events,\nexcept after a merge (a `contact.merged` event comes first). If you keep a copy, erase yours too.",
    example: {
      type: "contact.deleted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T12:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "contact_01m7w4n5e0fymt8j463c8gepsz"
        },
        changes: {}
      }
    }
  },
  {
    type: "note.created",
    description: "A note was created. The event belongs to the history of the note's lead or contact. To find it, filter by\n`resource_id` with the id of the lead or contact.",
    example: {
      type: "note.created",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T09:30:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "note_01m7w4n5e0fnt8s5k2x9c3qrzv",
          lead_id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          contact_id: null,
          text: "Called back. She decides after the board meeting on Friday.",
          pinned: true,
          kind: "call",
          direction: "outbound",
          occurred_at: "2026-11-20T09:30:00.000Z",
          duration_seconds: 300,
          author: {
            type: "client",
            id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
            user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
          },
          author_name: null,
          external_id: null,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "note.updated",
    description: "A note was changed. `changes` has the fields that changed. If the note's lead or contact was merged into another\none, that is `lead_id` or `contact_id`.",
    example: {
      type: "note.updated",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T10:15:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "note_01m7w4n5e0fnt8s5k2x9c3qrzv",
          lead_id: "lead_01m7w4n5e0e3tajy9kep34bze2",
          contact_id: null,
          text: "Called back. She decides after the board meeting on Friday.",
          pinned: true,
          kind: "call",
          direction: "outbound",
          occurred_at: "2026-11-20T09:30:00.000Z",
          duration_seconds: 300,
          author: {
            type: "client",
            id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
            user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
          },
          author_name: null,
          external_id: null,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T10:15:00.000Z",
          version: 2
        },
        changes: {
          pinned: {
            from: false,
            to: true
          }
        }
      }
    }
  },
  {
    type: "note.deleted",
    description: "A note was deleted. `object` has only its id. If the whole lead or contact is deleted, its notes are deleted\nwithout separate events.",
    example: {
      type: "note.deleted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T11:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "note_01m7w4n5e0fnt8s5k2x9c3qrzv"
        },
        changes: {}
      }
    }
  },
  {
    type: "content.created",
    description: "Content was created as a draft. `changes` is empty.",
    example: {
      type: "content.created",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T09:30:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          title: "Seven Ways to Count Leads",
          slug: "seven-ways-to-count-leads",
          type: "ebook",
          summary: "What a pipeline tells, and what it hides.",
          body_sha256: "49dd90a0b0b2240b9a112529b21b21d2e6845ea052704579808ea386f9a16616",
          url: "https://www.example.com/ebooks/seven-ways-to-count-leads",
          language: "en",
          status: "draft",
          author_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          tags: [
            "pipeline"
          ],
          metadata: {
            plan: "enterprise"
          },
          published_at: null,
          archived_at: null,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "content.updated",
    description: "Content was updated. You get this event for every change. More specific events of the same change follow it.",
    example: {
      type: "content.updated",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T16:20:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          title: "Seven Ways to Count Leads",
          slug: "seven-ways-to-count-leads",
          type: "ebook",
          summary: "What a pipeline tells, and what it hides.",
          body_sha256: "49dd90a0b0b2240b9a112529b21b21d2e6845ea052704579808ea386f9a16616",
          url: "https://www.example.com/ebooks/seven-ways-to-count-leads",
          language: "en-GB",
          status: "draft",
          author_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          tags: [
            "pipeline"
          ],
          metadata: {
            plan: "enterprise"
          },
          published_at: null,
          archived_at: null,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T16:20:00.000Z",
          version: 2
        },
        changes: {
          language: {
            from: "en",
            to: "en-GB"
          }
        }
      }
    }
  },
  {
    type: "content.published",
    description: "Content was published. `changes` has `status`, and `published_at` and `archived_at` if they changed.",
    example: {
      type: "content.published",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-21T08:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          title: "Seven Ways to Count Leads",
          slug: "seven-ways-to-count-leads",
          type: "ebook",
          summary: "What a pipeline tells, and what it hides.",
          body_sha256: "49dd90a0b0b2240b9a112529b21b21d2e6845ea052704579808ea386f9a16616",
          url: "https://www.example.com/ebooks/seven-ways-to-count-leads",
          language: "en",
          status: "published",
          author_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          tags: [
            "pipeline"
          ],
          metadata: {
            plan: "enterprise"
          },
          published_at: "2026-11-21T08:00:00.000Z",
          archived_at: null,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-21T08:00:00.000Z",
          version: 2
        },
        changes: {
          status: {
            from: "draft",
            to: "published"
          },
          published_at: {
            from: null,
            to: "2026-11-21T08:00:00.000Z"
          }
        }
      }
    }
  },
  {
    type: "content.unpublished",
    description: "Content became a draft again. `changes` has `status`, and `published_at` and `archived_at` if they changed.",
    example: {
      type: "content.unpublished",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-22T08:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          title: "Seven Ways to Count Leads",
          slug: "seven-ways-to-count-leads",
          type: "ebook",
          summary: "What a pipeline tells, and what it hides.",
          body_sha256: "49dd90a0b0b2240b9a112529b21b21d2e6845ea052704579808ea386f9a16616",
          url: "https://www.example.com/ebooks/seven-ways-to-count-leads",
          language: "en",
          status: "draft",
          author_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          tags: [
            "pipeline"
          ],
          metadata: {
            plan: "enterprise"
          },
          published_at: null,
          archived_at: null,
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-22T08:00:00.000Z",
          version: 3
        },
        changes: {
          status: {
            from: "published",
            to: "draft"
          },
          published_at: {
            from: "2026-11-21T08:00:00.000Z",
            to: null
          }
        }
      }
    }
  },
  {
    type: "content.archived",
    description: "Content was archived. `changes` has `status` and `archived_at`.",
    example: {
      type: "content.archived",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-31T16:45:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "content_01m7w4n5e0fj29y8hnfp12qb0m",
          title: "Seven Ways to Count Leads",
          slug: "seven-ways-to-count-leads",
          type: "ebook",
          summary: "What a pipeline tells, and what it hides.",
          body_sha256: "49dd90a0b0b2240b9a112529b21b21d2e6845ea052704579808ea386f9a16616",
          url: "https://www.example.com/ebooks/seven-ways-to-count-leads",
          language: "en",
          status: "archived",
          author_user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          tags: [
            "pipeline"
          ],
          metadata: {
            plan: "enterprise"
          },
          published_at: "2026-11-21T08:00:00.000Z",
          archived_at: "2026-12-31T16:45:00.000Z",
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-12-31T16:45:00.000Z",
          version: 3
        },
        changes: {
          status: {
            from: "published",
            to: "archived"
          },
          archived_at: {
            from: null,
            to: "2026-12-31T16:45:00.000Z"
          }
        }
      }
    }
  },
  {
    type: "content.deleted",
    description: "Content was deleted. `object` has only its id.",
    example: {
      type: "content.deleted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2027-01-15T12:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "content_01m7w4n5e0fj29y8hnfp12qb0m"
        },
        changes: {}
      }
    }
  },
  {
    type: "user.created",
    description: "A user was created. `changes` is empty.",
    example: {
      type: "user.created",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T09:30:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          name: "Grace Hopper",
          email: "grace@example.com",
          active: true,
          external_id: "hr-1906",
          metadata: {
            team: "EMEA"
          },
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-11-20T09:30:00.000Z",
          version: 1
        },
        changes: {}
      }
    }
  },
  {
    type: "user.updated",
    description: "A user was updated, activated or deactivated. `changes` has the fields that changed.",
    example: {
      type: "user.updated",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T07:45:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "user_01m7w4n5e0eymtkc82hvhg0xb9",
          name: "Grace Hopper",
          email: "grace@example.com",
          active: false,
          external_id: "hr-1906",
          metadata: {
            team: "EMEA"
          },
          created_at: "2026-11-20T09:30:00.000Z",
          updated_at: "2026-12-01T07:45:00.000Z",
          version: 2
        },
        changes: {
          active: {
            from: true,
            to: false
          }
        }
      }
    }
  },
  {
    type: "user.deleted",
    description: "A user was deleted. `object` has only its id. The service has erased the name and the email from earlier events of\nthe user. If you keep a copy, erase yours too.",
    example: {
      type: "user.deleted",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-12-01T08:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
        },
        changes: {}
      }
    }
  },
  {
    type: "inbound.rejected",
    description: "An inbound hook rejected a delivery because it does not make a valid lead. `object` has the hook, the delivery's\nid, and the errors of each field. To see what was sent, read the delivery.",
    example: {
      type: "inbound.rejected",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-23T11:11:11.111Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "hook",
        id: "hook_01m7w4n5e0fsb8fz3v1cgq6c9t",
        user_id: null
      },
      data: {
        object: {
          id: "hook_01m7w4n5e0fsb8fz3v1cgq6c9t",
          name: "Website form",
          delivery_id: "inbound_01m8428t47e1sr6n9gq2wc4x5y",
          errors: {
            email: [
              "email must be an email address."
            ]
          }
        },
        changes: {}
      }
    }
  },
  {
    type: "webhook.disabled",
    description: "The service disabled a webhook because its receiver failed for too long or answered 410. Your other webhooks\nreceive this event. No event is lost: you can replay them.",
    example: {
      type: "webhook.disabled",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-27T18:00:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "system",
        id: null,
        user_id: null
      },
      data: {
        object: {
          id: "webhook_01m7w4n5e0e8wtm2d9nq5s7x3k",
          description: "Data warehouse",
          disabled_reason: "No success for 72 hours; the last answer was 500.",
          failing_since: "2026-11-24T17:59:00.000Z",
          last_success_at: "2026-11-24T17:58:12.000Z"
        },
        changes: {}
      }
    }
  },
  {
    type: "webhook.test",
    description: "You asked for a test event with `POST /webhooks/{id}/test`. Only that webhook receives it.",
    example: {
      type: "webhook.test",
      id: "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
      occurred_at: "2026-11-20T09:45:00.000Z",
      environment: "production",
      request_id: "req-5f3c9a7e1b2d",
      actor: {
        type: "client",
        id: "client_01m7w4n5e0e0vbbhcpvg4zwf73",
        user_id: "user_01m7w4n5e0eymtkc82hvhg0xb9"
      },
      data: {
        object: {
          id: "webhook_01m7w4n5e0f7x8k2q4v6n9r3td"
        },
        changes: {}
      }
    }
  }
];
