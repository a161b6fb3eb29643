// Generated from README.md by `npm run generate`. Do not edit.

/** Chapters in docs/, without their suffix. */
export const guides = [
  {
    name: "model",
    title: "The model on a page",
    summary: "leads, contacts, content, users, notes and events; what others call them; what is not there"
  },
  {
    name: "recipes",
    title: "Recipes",
    summary: "fifteen everyday tasks, each with commands to paste"
  },
  {
    name: "resources",
    title: "Resources",
    summary: "what all requests have in common; leads, users, contacts and content, one by one or in batches"
  },
  {
    name: "authentication",
    title: "Authentication",
    summary: "tokens, scopes, API keys, and how to create clients"
  },
  {
    name: "environments",
    title: "Environments",
    summary: "production, the sandbox, and made-up data for it"
  },
  {
    name: "lists-and-search",
    title: "Lists and search",
    summary: "filters, pages, cursors, full-text search, and what they cost"
  },
  {
    name: "metadata",
    title: "Metadata with types",
    summary: "numbers, dates and choices of your own, and how to sort and report by them"
  },
  {
    name: "imports",
    title: "Imports",
    summary: "a file of leads or contacts, its columns, a dry run, and each row's errors"
  },
  {
    name: "bulk-jobs",
    title: "Bulk jobs",
    summary: "change or delete everything that matches a filter; reassign the leads of a colleague who has left"
  },
  {
    name: "migrating",
    title: "Moving from another CRM",
    summary: "move people, leads, deals, owners, notes and their history from HubSpot, Pipedrive, Salesforce and others"
  },
  {
    name: "spellings",
    title: "How texts are read",
    summary: "phone numbers, emails, amounts, dates, statuses and sources as people write them"
  },
  {
    name: "errors",
    title: "Errors",
    summary: "every error code, its cause, and what to do"
  },
  {
    name: "idempotency",
    title: "Idempotency",
    summary: "repeat a request safely; avoid overwriting other people's changes"
  },
  {
    name: "events",
    title: "Events",
    summary: "a lead's history, and the log of all changes, which other systems can follow"
  },
  {
    name: "webhooks",
    title: "Webhooks",
    summary: "receive the events that you want, as signed requests, with retries"
  },
  {
    name: "inbound-hooks",
    title: "Inbound hooks",
    summary: "turn what a form or an ads platform sends into leads"
  },
  {
    name: "recipes-for-platforms",
    title: "Recipes for platforms",
    summary: "Google Ads, Meta, LinkedIn, Typeform, Webflow and others, step by step"
  },
  {
    name: "analytics",
    title: "Analytics",
    summary: "nine reports with exact, current numbers, and a forecast"
  },
  {
    name: "dashboard",
    title: "Pipeline page",
    summary: "a page that shows the funnel, the board and the latest events, live"
  },
  {
    name: "limits",
    title: "Limits",
    summary: "requests per minute, sizes and lengths"
  },
  {
    name: "sdks",
    title: "SDKs",
    summary: "clients in TypeScript, Python, Java, Kotlin, Go, Rust, C# and PHP, generated from the document; connectors for dlt, Airbyte and n8n"
  },
  {
    name: "agents",
    title: "Agents",
    summary: "the MCP address: tools for an AI agent, what they may do, and how to add them to a program"
  }
] as const;
