import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The library of Debian's package faketime, for this machine's processor. Undefined if it is not installed. */
export function findFaketime(): string | undefined {
  try {
    const folders = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'));
    const [found] = folders.flatMap((path) => {
      try {
        return readdirSync(path).includes('libfaketime.so.1') ? [join(path, 'libfaketime.so.1')] : [];
      } catch {
        return [];
      }
    });
    return found;
  } catch {
    return undefined;
  }
}
