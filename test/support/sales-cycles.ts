import type { components } from '../../generated/api.ts';
import type { TestClient } from './client.ts';

type Schemas = components['schemas'];
type SalesCycle = Schemas['SalesCycle'];

/** The sales cycles of a lead, the first one first. */
export async function cyclesOf(client: TestClient, { id }: { id: string }): Promise<SalesCycle[]> {
  const { body } = await client.get(`/sales-cycles?lead_id=${id}&sort=opened_at`).expect(200);
  return body.data;
}

/** Changes a lead, and returns it. */
export async function change(
  client: TestClient,
  { id }: { id: string },
  patch: object,
): Promise<Schemas['Lead']> {
  const { body } = await client.patch(`/leads/${id}`, patch).expect(200);
  return body.data;
}

export const euros = (amount: string) => ({ amount, currency: 'EUR' });
