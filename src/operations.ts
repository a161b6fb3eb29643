import { createToken } from './auth/create-token.ts';
import { getCurrentClient } from './auth/get-current-client.ts';
import { getJwks } from './auth/get-jwks.ts';
import { revokeToken } from './auth/revoke-token.ts';
import type { Handlers } from './http/operation.ts';
import { createLead } from './leads/create-lead.ts';
import { deleteLead } from './leads/delete-lead.ts';
import { getLead } from './leads/get-lead.ts';
import { listLeads } from './leads/list-leads.ts';
import { updateLead } from './leads/update-lead.ts';

export const handlers = {
  createToken,
  revokeToken,
  getCurrentClient,
  getJwks,
  listLeads,
  createLead,
  getLead,
  updateLead,
  deleteLead,
} satisfies Handlers;
