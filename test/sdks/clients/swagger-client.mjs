// swagger-client builds its requests from the document when it runs, as Swagger UI does.
import { readFile } from 'node:fs/promises';
import SwaggerClient from 'swagger-client';

const { input, token, email } = JSON.parse(process.env.START);
const spec = JSON.parse(await readFile(input, 'utf8'));
const client = await new SwaggerClient({
  spec,
  authorizations: { oauth2: { token: { access_token: token } } },
});
const { Leads } = client.apis;
const { body: created } = await Leads.createLead(
  {},
  { requestBody: { name: 'Copper', email, external_id: `${email}#4711`, tags: ['a&b'] } },
);
const parameters = { external_id: created.data.external_id, tag: ['a&b', 'c+d'], email };
const { body: listed } = await Leads.listLeads(parameters);
const { body: other } = await Leads.listLeads({ ...parameters, email: `not.${email}` });
console.log(JSON.stringify({ found: listed.data.map(({ name }) => name), others: other.data.length }));
