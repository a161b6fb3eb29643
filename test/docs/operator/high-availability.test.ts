/** The blocks of docs/high-availability.md that one machine can run. test/process/faults/patroni.test.ts runs the cluster. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import { bootForDeployment, RELEASES } from '../../support/deployed-machine.ts';
import { type Machine, noMachine } from '../../support/machine.ts';
import { readPage } from '../../support/markdown.ts';
import { missing } from '../../support/programs.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const skipped = noMachine ?? missing('etcd', 'patroni', 'haproxy');
const chapter = openChapter('docs/high-availability.md');
const etcd = chapter.block('etcd');
const patroni = chapter.block('Patroni', 0);
const adapt = chapter.block('Patroni', 1);
const haproxy = chapter.block('HAProxy');
const service = chapter.block('The service');

const SETTINGS = '/etc/lead-pipeline-api/environment';
/** As on this machine, with its number. */
const onMachine = (block: string, number: number) => block.replace('MACHINE=\n', `MACHINE=${number}\n`);
const inProject = (block: string) => `cd ${RELEASES}/1.0.0\n${block}`;

let machine: Machine;

beforeAll(async () => {
  if (skipped === undefined) machine = await bootForDeployment();
});
beforeEach(({ skip }) => {
  if (skipped !== undefined) skip(skipped);
});
afterAll(() => machine?.close());

/** The block changes nothing, and says why. */
async function expectRefusal(block: string, why: RegExp | string): Promise<void> {
  const { status, stderr, changes } = await machine.paste(block);
  expect(changes).toEqual([]);
  expect(stderr).toMatch(why);
  expect(status).not.toBe(0);
}

it('no block deletes files, and what lowers the safety of commits is followed by what restores it', () => {
  const page = readPage('docs/high-availability.md');
  expect(page).not.toMatch(/\brm -\w*[rf]/);
  const [lowered = '', restored = ''] = page.match(/--set synchronous_mode_strict=\w+/g) ?? [];
  expect([lowered, restored]).toEqual([
    '--set synchronous_mode_strict=false',
    '--set synchronous_mode_strict=true',
  ]);
});

it('etcd gets its settings once, for a machine that was named, and no data is deleted', async () => {
  await expectRefusal(inProject(etcd), 'Put the number of this machine behind MACHINE=');
  await expectRefusal(inProject(onMachine(etcd, 4)), 'Put the number of this machine behind MACHINE=');
  await expectRefusal(onMachine(etcd, 2), /deploy\/patroni\/etcd\.env: No such file/);
  await machine.output(
    'systemctl stop etcd; mkdir -p /var/lib/etcd/default; touch /var/lib/etcd/default/kept',
  );
  const { status, stderr } = await machine.run(inProject(onMachine(etcd, 2)));
  expect(status, stderr).toBe(0);
  const made = await machine.output('cat /etc/etcd-lead-pipeline.env');
  expect(made).toContain('\nETCD_NAME=db-2\nETCD_LISTEN_PEER_URLS=http://10.0.0.12:2380\n');
  expect(made).toContain('ETCD_INITIAL_CLUSTER=db-1=http://10.0.0.11:2380,db-2=http://10.0.0.12:2380');
  expect(await machine.output('systemctl show etcd --property=EnvironmentFiles')).toContain(
    'etcd-lead-pipeline.env',
  );
  await machine.output('ls /var/lib/etcd/default/kept; systemctl stop etcd');
  await expectRefusal(
    inProject(onMachine(etcd, 1)),
    'cannot create /etc/etcd-lead-pipeline.env: File exists',
  );
});

it('Patroni gets new passwords once, which only root and PostgreSQL can read', async () => {
  await expectRefusal(patroni, /deploy\/patroni\/patroni\.env: No such file/);
  await machine.output(inProject(patroni));
  const passwords = (await machine.output('cat /etc/patroni_env.conf')).match(/PASSWORD=[0-9a-f]{48}$/gm);
  expect(new Set(passwords).size).toBe(4);
  expect(await machine.output('stat -c %a:%U:%G /etc/patroni_env.conf')).toBe('640:root:postgres');
  await expectRefusal(inProject(patroni), 'cannot create /etc/patroni_env.conf: File exists');
  await expectRefusal(inProject(adapt), 'Put the number of this machine behind MACHINE=');
  await machine.output(inProject(onMachine(adapt, 3)));
  expect(await machine.output('cat /etc/patroni_env.conf')).toContain('PATRONI_NAME=db-3');
  const again = await machine.paste(inProject(onMachine(adapt, 2)));
  expect([again.status, again.changes]).toEqual([0, []]);
});

it('HAProxy’s configuration is tested before it replaces the package’s, which is kept', async () => {
  const original = await machine.output('sha256sum < /etc/haproxy/haproxy.cfg');
  await machine.output(
    `cd ${RELEASES}/1.0.0; cp deploy/patroni/haproxy.cfg /root; echo nonsense >> deploy/patroni/haproxy.cfg`,
  );
  await expectRefusal(inProject(haproxy), /nonsense/);
  await machine.output(`cp /root/haproxy.cfg ${RELEASES}/1.0.0/deploy/patroni/haproxy.cfg`);
  await machine.output(inProject(`${haproxy}\n${haproxy}`));
  expect(await machine.output('sha256sum < /etc/haproxy/haproxy.cfg.old')).toBe(original);
  expect(await machine.output('systemctl is-active haproxy')).toBe('active');
  await machine.output('systemctl stop haproxy');
});

it('the service’s settings and databases are made together, once, or not at all', async () => {
  await expectRefusal(inProject(service), /port 5000 failed/);
  await machine.output(`pg_createcluster 15 leader --port 5000 --start
    runuser -u postgres -- psql -p 5000 -c "alter role postgres password 'made-up'"
    umask 077; echo '127.0.0.1:5000:*:postgres:made-up' > /root/.pgpass`);
  await machine.output(inProject(service));
  expect(await machine.output(`stat -c %a ${SETTINGS}`)).toBe('600');
  expect(await machine.output(`. ${SETTINGS}; psql "$SANDBOX_DATABASE_URL" -Atc 'select current_user'`)).toBe(
    'lead_pipeline',
  );
  await expectRefusal(inProject(service), `cannot create ${SETTINGS}: File exists`);
});
