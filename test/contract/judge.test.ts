/** The validator that judges the answers of a whole run. */
import { expect, it } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { createJudge } from '../support/judge.ts';

const judge = createJudge();
const { example } = contract.paths['/auth/me'].get.responses['200'].content['application/json'];

function judged(status: number, data: object) {
  const body = JSON.stringify({ data });
  return judge({ method: 'GET', path: '/auth/me', status, contentType: 'application/json', body });
}

it('accepts an answer of the contract, and names what is wrong with another one', async () => {
  expect(await judged(200, example.data)).toBeUndefined();
  const { client_id: _, ...others } = example.data;
  expect(await judged(200, others)).toMatch(/^GET \/auth\/me 200: .*client_id/);
  expect(await judged(200, { ...example.data, scopes: 'read' })).toMatch(/scopes/);
  expect(await judged(299, example.data)).toMatch(/no schema defined for status code/);
});
