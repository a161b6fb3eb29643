import type { Service } from './service.ts';

const MIB = 2 ** 20;
/** Milliseconds between two samples. */
const INTERVAL = 1_000;
/** A process fills its caches and its heap in this time. Seconds. */
const WARM_UP = 60;
/** What a process may grow by, from the end of its warm-up, as far as its samples lie on a line. Bytes. */
const MAX_GROWTH = 64 * MIB;

/** The samples of one process, from its start to its end. */
interface Life {
  pid: number;
  /** Seconds since the first one, and resident bytes. */
  samples: [second: number, bytes: number][];
}

/** Watches how much memory the service has, until it is stopped. */
export function watchMemory(service: Service) {
  const lives: Life[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    try {
      const pid = service.pid();
      const bytes = service.memory();
      // While it restarts, another process is found, such as npm or nothing.
      if (!(bytes > 64 * MIB)) return;
      if (lives.at(-1)?.pid !== pid) lives.push({ pid, samples: [] });
      lives.at(-1)?.samples.push([(performance.now() - startedAt) / 1000, bytes]);
    } catch {
      // There is no process at the moment.
    }
  }, INTERVAL);
  return {
    /** Ends watching, prints each life, and returns those that grew, one sentence each. */
    stop(): string[] {
      clearInterval(timer);
      return lives.flatMap(describeLife);
    },
  };
}

/** Prints it. Returns a sentence if it grew. */
export function describeLife({ samples }: Life): string[] {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return [];
  const seconds = last[0] - first[0];
  const warm = samples.filter(([second]) => second - first[0] >= WARM_UP);
  const slope = warm.length < 2 ? undefined : slopeOf(warm);
  const perMinute =
    slope === undefined ? 'too short to tell' : `${((slope * 60) / MIB).toFixed(1)} MiB a minute`;
  console.log(
    `memory: ${toMib(first[1])} MiB at start, ${toMib(last[1])} MiB at end, ${seconds.toFixed(0)} s later; growth after the first minute: ${perMinute}`,
  );
  const growth = (slope ?? 0) * (seconds - WARM_UP);
  return growth > MAX_GROWTH ? [`A process grew by ${toMib(growth)} MiB in ${seconds.toFixed(0)} s.`] : [];
}

/** Bytes per second, by least squares. */
function slopeOf(samples: readonly [number, number][]): number {
  const mean = (index: 0 | 1) => samples.reduce((sum, sample) => sum + sample[index], 0) / samples.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = samples.reduce((sum, [second, bytes]) => sum + (second - x) * (bytes - y), 0);
  return covariance / samples.reduce((sum, [second]) => sum + (second - x) ** 2, 0);
}

function toMib(bytes: number): number {
  return Math.round(bytes / MIB);
}
