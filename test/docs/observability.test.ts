import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { readPage } from '../support/markdown.ts';

const project = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

/** The metrics that a process exports, by name and by series. A histogram has several series. */
async function exported(): Promise<{ names: Set<string>; series: Set<string> }> {
  const metrics = createMetrics({ role: 'all', environments: ['production', 'sandbox'] });
  const text = await metrics.render();
  await metrics.close();
  const found = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const names = new Set(found.map(([, name = '']) => name));
  const series = found.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  );
  return { names, series: new Set(series) };
}

const mentioned = (text: string) => text.match(/\b(?:lead_pipeline|nodejs|process)_\w+/g) ?? [];

interface Dashboard {
  panels: { type: string; title: string; targets?: { expr: string }[] }[];
}

describe('the metrics', () => {
  it('with our prefix are exactly those in the chapter', async () => {
    const { names } = await exported();
    const own = [...names].filter((name) => name.startsWith('lead_pipeline_'));
    const documented = [...readPage('docs/observability.md').matchAll(/^\| `(lead_pipeline_\w+)` \|/gm)];
    expect(documented.map(([, name]) => name).toSorted()).toEqual(own.toSorted());
  });

  it('with our prefix are all on the dashboard, which queries no unknown ones', async () => {
    const { names, series } = await exported();
    const { panels }: Dashboard = JSON.parse(read('deploy/grafana/lead-pipeline-api.json'));
    const asked = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => mentioned(expr)));
    expect(asked.filter((name) => !series.has(name))).toEqual([]);
    const missing = [...names].filter((name) => !asked.some((shown) => shown.startsWith(name)));
    expect(missing.filter((name) => name.startsWith('lead_pipeline_'))).toEqual([]);
  });

  it('that the alerts query are exported', async () => {
    const { series } = await exported();
    const { groups } = parse(read('deploy/prometheus/alerts.yaml'));
    const asked = groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
      rules.flatMap(({ expr }) => mentioned(expr)),
    );
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name: string) => !series.has(name))).toEqual([]);
  });
});
