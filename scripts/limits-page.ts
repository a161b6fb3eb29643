import { byteLimits, queryLimits, streamLimits, uploadLimit } from '../src/http/limits/share-limits.ts';
import { fillTables, table } from './tables.ts';

const MiB = 1024 ** 2;
/** The default of DATABASE_POOL_SIZE. */
const CONNECTIONS = 10;

interface Limit {
  perClient: number;
  total?: number;
}

const queries: Record<keyof ReturnType<typeof queryLimits>['kinds'], string> = {
  light: 'queries and transactions of a client',
  heavy:
    'among them those of searches, reports, batches, pages of more than 20 items or after the first 1,000, and bodies over 64 KiB',
  anonymous: 'queries without credentials, of one IP address',
  hook: 'queries for what one inbound hook receives',
};

const bytes: Record<keyof typeof byteLimits, string> = {
  small:
    'requests until the client has read the answer: 8 KiB each, and a body of up to 256 KiB, or a small answer that is not read yet',
  arriving: 'larger bodies while they arrive',
  processed:
    'bodies over 64 KiB while they are processed, ten times their size, and large answers, 20 MiB each',
  unread: 'large answers that the client has not read yet; beyond that, they count as processed',
};

const streams: Record<keyof typeof streamLimits | 'uploads', string> = {
  exports: 'exports, each for at most 30 minutes',
  waits: 'requests that wait for events',
  uploads: 'import files that are read, in both environments together',
};

/** Fills the table of what each client can hold from the limits in the code. */
export function renderLimitsPage(page: string): string {
  const count = (amount: number) => amount.toLocaleString('en-GB');
  const size = (amount: number) => `${amount / MiB} MiB`;
  const { kinds } = queryLimits(CONNECTIONS);
  const rows = [
    ...rowsOf(queries, kinds, count, CONNECTIONS),
    ...rowsOf(bytes, byteLimits, size),
    ...rowsOf(streams, { ...streamLimits, uploads: uploadLimit }, count),
  ];
  const header = ['what', 'one client', 'all clients', 'left for others while one client holds all it can'];
  return fillTables('docs/limits.md', page, { shares: table(header, rows) });
}

function rowsOf<Kind extends string>(
  names: Record<Kind, string>,
  limits: Record<Kind, Limit>,
  write: (amount: number) => string,
  available?: number,
): string[][] {
  return (Object.keys(names) as Kind[]).map((kind) => {
    const { perClient, total = available } = limits[kind];
    if (total === undefined) return [names[kind], write(perClient), 'no limit', 'the same for each'];
    return [names[kind], write(perClient), write(total), write((available ?? total) - perClient)];
  });
}
