import type { Input, OperationContext, Result } from '../operation.ts';
import { seedData } from './seed.ts';

export async function seedSandbox(
  { body }: Input<'seedSandbox'>,
  { db, baseUrl, requestId }: OperationContext,
): Promise<Result<'seedSandbox'>> {
  const { seed, leads } = body;
  const counts = await seedData(db, { seed, leads, requestId });
  return { status: 201, headers: { Location: `${baseUrl}/leads` }, body: { data: { seed, ...counts } } };
}
