/** The WAL that a replica's slot keeps while the replica is gone. */
import { randomBytes } from 'node:crypto';
import { afterAll, expect, it, vi } from 'vitest';
import { noPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { query } from '../support/embedded.ts';
import { parseMetrics } from '../support/metrics.ts';
import { cleanUp, newDataDir, startServer } from '../support/process.ts';

vi.setConfig({ testTimeout: 90_000 });
afterAll(cleanUp);

it('shows how much WAL the slot of a replica keeps that is gone, and none without slots', async ({
  skip,
}) => {
  const postgres = await startDebianPostgres();
  if (postgres === undefined) return skip(noPostgres);
  try {
    const sql = (text: string) => query(postgres.url('postgres'), text);
    await sql('create database leads');
    const server = await startServer({
      ENVIRONMENTS: 'production',
      DATABASE_URL: postgres.url('leads'),
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: newDataDir(),
      METRICS_PORT: '0',
    });
    const url = /metrics +(\S+)\n/.exec(server.output.stdout)?.[1] ?? '';
    const retained = async () => {
      const samples = parseMetrics(await (await fetch(url)).text());
      return samples.find(({ name }) => name === 'lead_pipeline_replication_slot_retained_bytes')?.value;
    };
    expect(await retained()).toBe(0);
    await sql("select pg_create_physical_replication_slot('gone', true)");
    await sql("select pg_switch_wal(), pg_create_restore_point(repeat('x', 60))");
    // The figures of the database are read at most once in five seconds.
    await expect.poll(retained, { timeout: 15_000, interval: 500 }).toBeGreaterThan(16_000);
    expect(await server.stop()).toBe(0);
  } finally {
    await postgres.stop();
  }
});
