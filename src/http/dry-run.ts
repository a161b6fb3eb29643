import type { Request } from 'express';
import { invalidParameter } from '../problem.ts';

/**
 * Whether the request only tries what it would do. Throws 400 if the operation can't be tried, or if a header means Dry-Run but
 * is spelt in another way, such as `DryRun` or `X-Dry-Run`: ignoring it would carry out what the client only wanted to try.
 */
export function readDryRun(req: Request): boolean {
  const { method, dryRun, query } = req.match.operation;
  if (method === 'get') return false;
  // Names and values alternate.
  const misspelt = req.rawHeaders.find((name, index) => index % 2 === 0 && isMisspelt(name.toLowerCase()));
  const isDryRun = req.get('Dry-Run') === 'true';
  if (isDryRun && !dryRun) {
    const remedy = query.includes('dry_run') ? 'Send dry_run=true instead' : 'Nothing was changed';
    throw invalidParameter('Dry-Run', `is not supported by this operation. ${remedy}`);
  }
  if (misspelt === undefined) return isDryRun;
  throw invalidParameter(misspelt, 'is unknown. Send the header Dry-Run instead; nothing was changed');
}

function isMisspelt(name: string): boolean {
  return name !== 'dry-run' && name.replaceAll(/[^a-z]/g, '').includes('dryrun');
}
