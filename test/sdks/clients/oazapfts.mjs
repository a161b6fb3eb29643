import { createLead, defaults, listLeads } from './api.ts';

const { baseUrl, token, email } = JSON.parse(process.env.START);
defaults.baseUrl = baseUrl;
defaults.headers = { Authorization: `Bearer ${token}` };
const lead = { name: 'Copper', email, external_id: `${email}#4711`, tags: ['a&b'] };
const created = await createLead(lead);
if (created.status !== 201) throw new Error(created.data.message);
const parameters = { externalId: created.data.data.external_id, tag: ['a&b', 'c+d'] };
const found = await listLeads({ ...parameters, email });
const others = await listLeads({ ...parameters, email: `not.${email}` });
console.log(
  JSON.stringify({ found: found.data.data.map(({ name }) => name), others: others.data.data.length }),
);
