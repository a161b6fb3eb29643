/** The digests that a span of time is put together from, and what is left of it. */
import type { Span } from './live.ts';

/** A day or month (UTC) that is digested. */
export interface Digest extends Span {
  of: 'day' | 'month';
}

/** The months in the span that no boundary cuts, and the days in it that lie in none of these, in order. */
export function choose(digests: readonly Digest[], span: Span, boundaries: readonly number[]): Digest[] {
  const within = digests.filter(({ begin, end }) => begin >= span.begin && end <= span.end);
  const months = within.filter(
    ({ of, begin, end }) =>
      of === 'month' && !boundaries.some((boundary) => boundary > begin && boundary < end),
  );
  const chosen = new Set(months.map(({ begin }) => begin));
  const days = within.filter(({ of, begin }) => of === 'day' && !chosen.has(monthOf(begin)));
  return [...days, ...months].sort((one, other) => one.begin - other.begin);
}

/** The first moment of the month (UTC). */
function monthOf(moment: number): number {
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The span without the digests, which lie in it in order. */
export function spansBetween({ begin, end }: Span, digests: readonly Digest[]): Span[] {
  const begins = [begin, ...digests.map((digest) => digest.end)];
  return begins
    .map((from, index) => ({ begin: from, end: digests[index]?.begin ?? end }))
    .filter((span) => span.begin < span.end);
}

/** The part of a digest that lies in one period, from its second `low` up to and without `high`. */
export interface Cut {
  digest: Digest;
  period: number;
  low: number;
  high: number;
}

/** The digests cut at the boundaries of the periods, both in order. */
export function cutsOf(digests: readonly Digest[], boundaries: readonly number[]): Cut[] {
  const cuts: Cut[] = [];
  let first = 0;
  for (const digest of digests) {
    while ((boundaries[first + 1] ?? digest.end) <= digest.begin) first += 1;
    for (let period = first; (boundaries[period] ?? digest.end) < digest.end; period += 1) {
      const begin = Math.max(digest.begin, boundaries[period] ?? digest.begin);
      const end = Math.min(digest.end, boundaries[period + 1] ?? digest.end);
      cuts.push({
        digest,
        period: period + 1,
        low: (begin - digest.begin) / 1000,
        high: (end - digest.begin) / 1000,
      });
    }
  }
  return cuts;
}

export function isCut({ digest, low, high }: Cut): boolean {
  return low > 0 || high < (digest.end - digest.begin) / 1000;
}

/** The day with which it begins. */
export function toDay({ begin }: Digest): string {
  return new Date(begin).toISOString().slice(0, 10);
}
