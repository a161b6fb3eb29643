// The client checks each request and each response against the document when it runs.
import { createApiClient } from './api.ts';

const { baseUrl, token, email } = JSON.parse(process.env.START);
const api = createApiClient(baseUrl, { axiosConfig: { headers: { Authorization: `Bearer ${token}` } } });
const lead = { name: 'Copper', email, external_id: `${email}#4711`, tags: ['a&b'] };
const { data: created } = await api.post('/leads', lead);
const { data: found } = await api.get('/leads', {
  queries: { external_id: created.external_id, sort: 'name' },
});
const { data: others } = await api.get('/leads', { queries: { email: `not.${email}` } });
await api.get('/events', { queries: { per_page: 10 } });
await api.get('/analytics/summary');
console.log(JSON.stringify({ found: found.map(({ name }) => name), others: others.length }));
