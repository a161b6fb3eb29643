/** Every tool runs its operation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentTools } from '../../../generated/agent-tools.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { type Agent, connectAgent, type Outcome } from '../../support/mcp.ts';
import { declare } from '../../support/metadata-fields.ts';

/** All that `tools/list` may take of a model's context. Characters. */
const MAX_LIST = 32_000;

let app: TestApp;
let client: TestClient;
let agent: Agent;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  agent = await connectAgent(client, '?level=write');
});

afterAll(async () => {
  await agent.close();
  await app.close();
});

/** What a call gets, and what its answer must contain. */
type Call = () => Promise<{ values: Record<string, unknown>; data: unknown }>;

const anything = { values: {}, data: expect.any(Object) };
const report: Call = async () => anything;

const lostLead = () => createLead(client, { status: 'lost', lost_reason: 'Price' });
const newContact = async () => {
  const { body } = await client.post('/contacts', { name: 'Mary Jackson' }).expect(201);
  return body.data;
};

const calls: Record<string, Call> = {
  list_leads: async () => {
    const { id, email } = await createLead(client);
    return { values: { email, status: ['new', 'won'] }, data: [expect.objectContaining({ id })] };
  },
  get_lead: async () => {
    const { id } = await createLead(client);
    return { values: { id }, data: expect.objectContaining({ id }) };
  },
  list_lead_events: async () => {
    const { id } = await createLead(client);
    const event = expect.objectContaining({ type: 'lead.created' });
    return { values: { id, event_types: ['lead.created'] }, data: [event] };
  },
  create_lead: async () => {
    const values = { name: 'Joan Clarke', email: uniqueEmail(), value: { amount: '10.00', currency: 'EUR' } };
    return { values, data: expect.objectContaining(values) };
  },
  update_lead: async () => {
    const { id } = await createLead(client, { company: 'Analytical Engines' });
    const changed = { status: 'qualified', company: null, next_step: 'Call back' };
    return { values: { id, ...changed }, data: expect.objectContaining({ id, ...changed }) };
  },
  reopen_lead: async () => {
    const { id } = await lostLead();
    return {
      values: { id, status: 'contacted' },
      data: expect.objectContaining({ id, status: 'contacted' }),
    };
  },
  convert_lead: async () => {
    const { id } = await createLead(client);
    return { values: { id }, data: expect.objectContaining({ lead: expect.objectContaining({ id }) }) };
  },
  list_contacts: async () => {
    const { id } = await newContact();
    return { values: { per_page: 1 }, data: [expect.objectContaining({ id })] };
  },
  get_contact: async () => {
    const { id } = await newContact();
    return { values: { id }, data: expect.objectContaining({ id }) };
  },
  create_contact: async () => {
    const values = { name: 'Dorothy Vaughan', tags: ['vip'] };
    return { values, data: expect.objectContaining(values) };
  },
  update_contact: async () => {
    const { id } = await newContact();
    return { values: { id, add_tags: ['vip'] }, data: expect.objectContaining({ id, tags: ['vip'] }) };
  },
  list_notes: async () => {
    const { id: lead_id } = await createLead(client);
    await client.post('/notes', { lead_id, text: 'Called.' }).expect(201);
    return { values: { lead_id }, data: [expect.objectContaining({ lead_id, text: 'Called.' })] };
  },
  create_note: async () => {
    const { id: lead_id } = await createLead(client);
    const values = { lead_id, text: 'She decides on Friday.', kind: 'call' };
    return { values, data: expect.objectContaining(values) };
  },
  list_content: async () => {
    const { body } = await client.post('/content', { title: 'Guide', type: 'article' }).expect(201);
    return { values: {}, data: [expect.objectContaining({ id: body.data.id })] };
  },
  list_users: async () => {
    const id = await createUser(client);
    return { values: { active: true }, data: [expect.objectContaining({ id })] };
  },
  list_metadata_fields: async () => {
    const { id } = await declare(app, client, { key: 'seats', type: 'number' });
    return { values: { resource: 'leads' }, data: [expect.objectContaining({ id, key: 'seats' })] };
  },
  look_up_person: async () => {
    const { id, email } = await createLead(client);
    return {
      values: { email },
      data: expect.objectContaining({ leads: [expect.objectContaining({ id })] }),
    };
  },
  get_analytics_summary: report,
  get_analytics_funnel: report,
  get_analytics_timeseries: async () => ({ values: { interval: 'week' }, data: expect.any(Object) }),
  get_analytics_pipeline: report,
  get_analytics_forecast: report,
  get_analytics_breakdown: async () => ({ values: { group_by: 'assigned_user' }, data: expect.any(Object) }),
  get_analytics_activity: report,
};

describe('tools/call', () => {
  it.each(Object.keys(calls))('%s runs its operation', async (name) => {
    const { values, data } = await (calls[name] as Call)();
    const { isError, json }: Outcome = await agent.call(name, values);
    expect({ isError, json }).toEqual({ isError: false, json: expect.objectContaining({ data }) });
  });
});

describe('tools/list', () => {
  it('has the tools of the document, each of which is called above', async () => {
    const names = await agent.tools();
    expect(names).toEqual(agentTools.map(({ name }) => name));
    expect(names.toSorted()).toEqual(Object.keys(calls).toSorted());
  });

  it('fits into the context of a model', async () => {
    const result = await agent.client.listTools();
    expect(JSON.stringify(result).length).toBeLessThan(MAX_LIST);
  });

  it('says of each tool what it does, and of each field what it means, once', async () => {
    const { tools } = await agent.client.listTools();
    for (const { name, title, description, inputSchema, annotations } of tools) {
      const isRead = !/^(create|update|reopen|convert)_/.test(name);
      expect({ name, title, annotations }).toEqual({
        name,
        title: undefined,
        annotations: {
          title: expect.stringMatching(/^[A-Z]/),
          readOnlyHint: isRead,
          destructiveHint: false,
          idempotentHint: isRead || name.startsWith('update_'),
          openWorldHint: false,
        },
      });
      expect(description, name).toMatch(/^[A-Z].+\.$/);
      expect(inputSchema.type).toBe('object');
    }
    const explained = tools.flatMap(({ inputSchema: { properties = {} } }) =>
      Object.entries(properties as Record<string, { description?: string }>).flatMap(([name, field]) =>
        field.description === undefined ? [] : [`${name}: ${field.description}`],
      ),
    );
    expect(explained.length).toBeGreaterThan(100);
    expect(new Set(explained).size).toBe(explained.length);
  });

  it('has nothing that deletes, merges, erases or changes many', () => {
    const operations = agentTools.map(({ operation }) => operation);
    expect(operations.filter((id) => /delete|merge|eras|batch|bulk|import|reassign/i.test(id))).toEqual([]);
  });
});
