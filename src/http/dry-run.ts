import type { Request } from 'express';
import { invalidParameter } from '../problem.ts';

/**
 * Whether the request only tries what it would do. Throws 400 if a header means Dry-Run but is spelt in another way, such as
 * `DryRun` or `X-Dry-Run`: ignoring it would carry out what the client only wanted to try.
 */
export function readDryRun(req: Request): boolean {
  // Names and values alternate.
  const misspelt = req.rawHeaders.find((name, index) => index % 2 === 0 && isMisspelt(name.toLowerCase()));
  if (misspelt === undefined) return req.get('Dry-Run') === 'true';
  throw invalidParameter(misspelt, 'is unknown. Send the header Dry-Run instead; nothing was changed');
}

function isMisspelt(name: string): boolean {
  return name !== 'dry-run' && name.replaceAll(/[^a-z]/g, '').includes('dryrun');
}
