import { expect } from 'vitest';
import { type CountableFilter, isWithin, meets, quantile, statuses } from '../../support/analytics.ts';
import { describeReport } from '../../support/report-promises.ts';

describeReport('time-in-status', {
  main: 'current',
  expected(world, query) {
    const leads = world.facts.filter((lead) => meets(lead, query));
    const entries = leads.flatMap(({ path }) => path).filter(({ at }) => isWithin(at, query));
    const stays = leads.flatMap(staysOf).filter(({ left }) => isWithin(left, query));
    return statuses.map((status) => {
      const seconds = stays.filter((stay) => stay.status === status).map((stay) => stay.seconds);
      return {
        status,
        entered: entries.filter((entry) => entry.status === status).length,
        exited: seconds.length,
        current: leads.filter((lead) => lead.status === status).length,
        mean_seconds: mean(seconds),
        median_seconds: quantile(seconds, 5),
        p90_seconds: quantile(seconds, 9),
        leads_url: expect.any(String),
      };
    });
  },
});

function staysOf({ path }: CountableFilter) {
  return path.flatMap(({ status, at }, index) => {
    const next = path[index + 1];
    return next === undefined ? [] : [{ status, left: next.at, seconds: Math.floor((next.at - at) / 1000) }];
  });
}

function mean(numbers: number[]): number | null {
  const sum = numbers.reduce((all, number) => all + number, 0);
  return numbers.length === 0 ? null : Math.round(sum / numbers.length);
}
