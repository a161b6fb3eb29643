import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** @typedef {{ label: string, values: number[] }} Bar */

const HEIGHT = 220;

/** A colour of the style sheet, which differs between light and dark. @param {string} name */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

/**
 * Stacked bars. `onPoint` is called with the index of the bar under the pointer, or undefined.
 * @param {HTMLElement} container
 * @param {string[]} groups The groups of a bar, from bottom to top. Each has a colour of its name.
 * @param {(index: number | undefined) => void} onPoint
 */
export function createChart(container, groups, onPoint) {
  /** @type {Bar[]} */
  let bars = [];
  const axis = {
    stroke: () => colour('--muted'),
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const plot = new uPlot(
    {
      width: container.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      padding: [8, 8, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: () => [-0.5, bars.length - 0.5] },
        y: { range: (_plot, _min, max) => [0, Math.max(max, 4) * 1.05] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          incrs: [1, 2, 3, 5, 7, 10, 14],
          space: 64,
          values: (_plot, splits) => splits.map((index) => bars[index]?.label ?? ''),
        },
        {
          ...axis,
          size: 48,
          grid: { stroke: () => colour('--line'), width: 1 },
          incrs: [1, 2, 5]
            .flatMap((step) => [1, 10, 100, 1e3, 1e4, 1e5].map((power) => step * power))
            .sort((a, b) => a - b),
        },
      ],
      // Sums are drawn from the highest to the lowest, so that each lower one covers its part.
      series: [
        {},
        ...groups.toReversed().map((group) => ({
          fill: () => colour(`--${group}`),
          width: 0,
          points: { show: false },
          paths: uPlot.paths.bars?.({ size: [0.72, 48] }),
        })),
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    },
    [[], ...groups.map(() => [])],
    container,
  );

  new ResizeObserver(() => plot.setSize({ width: container.clientWidth, height: HEIGHT })).observe(container);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());

  return {
    /** @param {Bar[]} shown */
    show(shown) {
      bars = shown;
      const sums = groups.map((_, top) =>
        bars.map(({ values }) => values.slice(0, top + 1).reduce((sum, value) => sum + value, 0)),
      );
      plot.setData([bars.map((_, index) => index), ...sums.toReversed()]);
    },
  };
}
