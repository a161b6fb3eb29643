import type { Input, OperationContext, Result } from '../operation.ts';

/** RFC 7517. A rotated key is listed until its last token has expired. */
export async function getJwks(
  _input: Input<'getJwks'>,
  { auth }: OperationContext,
): Promise<Result<'getJwks'>> {
  return {
    status: 200,
    headers: { 'Cache-Control': 'public, max-age=300' },
    body: { keys: await auth.publicJwks() },
  };
}
