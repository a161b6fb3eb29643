/** docs/deployment.md on a Debian machine with systemd, from an empty folder to upgrades that fail. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openChapter } from '../../support/chapter.ts';
import {
  addRelease,
  bootForDeployment,
  RELEASES,
  releaseOf,
  releasesOf,
} from '../../support/deployed-machine.ts';
import { type Machine, noMachine } from '../../support/machine.ts';
import { readPage } from '../../support/markdown.ts';
import type { Ended } from '../../support/shell.ts';

vi.setConfig({ testTimeout: 500_000, hookTimeout: 300_000 });

const chapter = openChapter('docs/deployment.md');
const [settings, install, client, start, nginx, look] = [0, 1, 2, 3, 4, 5].map((index) =>
  chapter.block('With systemd', index),
) as [string, string, string, string, string, string];
const check = chapter.block('Check a release');
const composeSettings = chapter.block('With Compose');
const upgrade = chapter.block('Upgrade with systemd');

const back = `${RELEASES}/1.0.0/deploy/systemd/use-release`;
const SETTINGS = '/etc/lead-pipeline-api/environment';
const SITE = '/etc/nginx/conf.d/lead-pipeline-api.conf';

let machine: Machine;
/** The outcome of each block on the way to a service that serves. */
const outcomes: Record<string, Ended> = {};

const output = (text: string) => machine.output(text);
const current = () => output('basename $(readlink /opt/lead-pipeline-api/current)');
const releases = () => releasesOf(machine);
const ready = () => machine.run('curl -fsS https://api.example.com/readyz');

beforeAll(async () => {
  if (noMachine !== undefined) return;
  machine = await bootForDeployment();
  for (const [name, block] of Object.entries({ settings, install, client, start, nginx, look }))
    outcomes[name] = await machine.run(block);
});
beforeEach(({ skip }) => {
  if (noMachine !== undefined) skip(noMachine);
});
afterAll(() => machine?.close());

describe('the way from an empty machine to a service', () => {
  it('needs no more than the blocks', async () => {
    for (const [name, { status, stdout, stderr }] of Object.entries(outcomes))
      expect(status, `${name}\n${stdout}\n${stderr}`).toBe(0);
    expect(outcomes.client?.stdout).toMatch(/client_secret +lps_live_/);
    expect(outcomes.look?.stdout).toMatch(/HTTP\/2 200[\s\S]*"status":"ok"/);
    expect(outcomes.look?.stdout).toMatch(/active \(running\)/);
    expect(await output('stat -c %a:%U /etc/lead-pipeline-api /etc/lead-pipeline-api/environment')).toBe(
      '700:root\n600:root',
    );
    expect(await releases()).toEqual(['1.0.0', '1.0.0', '1.0.0']);
    const plain = 'curl -s -o /dev/null -w %{http_code} http://api.example.com/v1/leads';
    await expect.poll(() => output(plain)).toBe('403'); // nginx reloads meanwhile.
  });

  it('leaves nginx’s own files and other sites alone', async () => {
    expect(await output('dpkg --verify nginx-common nginx 2>&1 | grep -v sites || true')).toBe('');
    await machine.write(
      '/etc/nginx/conf.d/other.conf',
      'server { listen 80; server_name other.test; return 204; }',
    );
    await output(nginx);
    // nginx reloads in the background.
    const ask = 'curl -s -o /dev/null -w %{http_code} -H "Host: other.test" http://127.0.0.1/';
    await expect.poll(() => output(ask), { timeout: 10_000 }).toBe('204');
    expect((await ready()).status).toBe(0);
  });

  it('has a check that shows what the chapter shows', async () => {
    const [, shown = ''] =
      /lead-pipeline check\n```\n\n```text\n([\s\S]*?)```/.exec(readPage('docs/deployment.md')) ?? [];
    const lines = (await output(check)).split('\n').map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining(
        shown
          .trim()
          .split('\n')
          .map((line) => line.trim()),
      ),
    );
  });
});

describe('the settings', () => {
  it('are never made twice: a second paste changes nothing and says why', async () => {
    const { status, stderr, changes } = await machine.paste(settings, { times: 2 });
    expect(changes).toEqual([]);
    expect(stderr).toContain(`cannot create ${SETTINGS}: File exists`);
    expect(status).not.toBe(0);
  });

  it('are not left behind if PostgreSQL does not make the role', async () => {
    await output(`mv ${SETTINGS} /root/kept`);
    try {
      const { status, stderr, changes } = await machine.paste(settings);
      expect([status, changes]).toEqual([1, []]);
      expect(stderr).toContain('role "lead_pipeline" already exists');
    } finally {
      await output(`mv /root/kept ${SETTINGS}`);
    }
  });

  it('of Compose are made once too, in the right folder only', async () => {
    const inFolder = `cd ${RELEASES}/1.0.0\n${composeSettings}`;
    expect((await machine.paste(inFolder)).changes).toHaveLength(2);
    const text = await output(`cat ${RELEASES}/1.0.0/.env`);
    for (const name of ['SECRET_KEY', 'DATABASE_PASSWORD', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD'])
      expect(text).toMatch(new RegExp(`^${name}='[\\w+/=]{44,48}'$`, 'm'));
    expect(await output(`stat -c %a ${RELEASES}/1.0.0/.env`)).toBe('600');
    const again = await machine.paste(inFolder);
    expect([again.status, again.changes]).toEqual([2, []]);
    expect(again.stderr).toContain('cannot create .env: File exists');
    const elsewhere = await machine.run(`cd /root; ${composeSettings}\n[ ! -e .env ]`);
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      0,
      expect.stringContaining("can't read .env.example"),
    ]);
  });
});

describe('the units', () => {
  it('have ports for their metrics that never collide, also of more API processes', async () => {
    await output('systemctl start lead-pipeline-api@9464 lead-pipeline-api@30001');
    try {
      for (const address of ['127.0.0.2:3001', '127.0.0.2:9464', '127.0.0.2:30001', '127.0.0.3:9464'])
        expect(await output(`curl -fsS http://${address}/metrics`)).toContain('lead_pipeline_database_up');
    } finally {
      await output('systemctl stop lead-pipeline-api@9464 lead-pipeline-api@30001');
    }
  });

  it('are started when they serve, and their start fails as soon as they end', async () => {
    await output('systemctl restart lead-pipeline-api@3002');
    await output('curl -fsS http://127.0.0.1:3002/readyz');
    await machine.write(
      '/etc/systemd/system/lead-pipeline-api@3002.service.d/slip.conf',
      '[Service]\nEnvironment=DATABASE_POOL_SIZE=0',
    );
    try {
      const startedAt = Date.now();
      const { status } = await machine.run(
        'systemctl daemon-reload; systemctl restart lead-pipeline-api@3002',
      );
      expect(status).not.toBe(0);
      expect(Date.now() - startedAt).toBeLessThan(30_000);
    } finally {
      await output('rm -r /etc/systemd/system/lead-pipeline-api@3002.service.d; systemctl daemon-reload');
      await output('systemctl restart lead-pipeline-api@3002');
    }
  });
});

describe('nginx', () => {
  it('keeps its site if the new one is broken', async () => {
    const before = await output(`sha256sum ${SITE}`);
    const shipped = `${RELEASES}/1.0.0/deploy/nginx/lead-pipeline-api.conf`;
    await output(`cp ${shipped} /root/site; echo 'server { proxy_pas x; }' >> ${shipped}`);
    try {
      const { status, stderr } = await machine.run(nginx);
      expect(status).not.toBe(0);
      expect(stderr).toContain('unknown directive "proxy_pas"');
    } finally {
      await output(`cp /root/site ${shipped}`);
    }
    expect(await output(`sha256sum ${SITE}`)).toBe(before);
    expect(await output('nginx -t 2>&1')).toContain('successful');
    expect((await ready()).status).toBe(0);
  });

  it('keeps the list of processes, which belongs to the operator', async () => {
    const list = '/etc/nginx/conf.d/lead-pipeline-processes.conf';
    await output(
      `sed -i 's/^  keepalive 64;/  server 127.0.0.1:3003 max_fails=1 fail_timeout=2s;\\n&/' ${list}`,
    );
    const before = await output(`sha256sum ${list}`);
    await output(nginx);
    expect(await output(`sha256sum ${list}`)).toBe(before);
    await output(`sed -i '/127.0.0.1:3003/d' ${list} && systemctl reload nginx`);
  });
});

describe('an upgrade', () => {
  it('replaces the processes one by one, so that no request fails, and can be repeated if it is interrupted', async () => {
    await addRelease(machine, '1.1.0', { isInstalled: false });
    const asking = output(`rm -f /tmp/done
      until [ -e /tmp/done ]; do
        curl -s -o /dev/null -w '%{http_code}\\n' https://api.example.com/livez; sleep 0.2
      done | sort | uniq -c`);
    const upgraded = async () => {
      const ended = await machine.run(upgrade, { interrupt: { signal: 'SIGINT', when: /Restarting/ } });
      expect(ended.status).not.toBe(0);
      await output(upgrade);
      expect([await current(), ...(await releases())]).toEqual(Array(4).fill('1.1.0'));
      await output(back);
      expect([await current(), ...(await releases())]).toEqual(Array(4).fill('1.0.0'));
    };
    await upgraded().finally(() => output('touch /tmp/done'));
    expect(await asking, await output('tail -n 20 /var/log/nginx/access.log')).toMatch(/^\d{2,} 200$/);
  });

  it('changes nothing if the check fails', async () => {
    await addRelease(machine, '1.1.0');
    await output('systemctl stop redis-server');
    try {
      const { status, stdout, changes } = await machine.paste(upgrade);
      expect([status, changes]).toEqual([1, []]);
      expect(stdout).toMatch(/Redis +FAILED: Redis at 127\.0\.0\.1 can't be used/);
      expect(stdout).not.toContain('Restarting');
    } finally {
      await output('systemctl start redis-server');
    }
    expect(await releases()).toEqual(['1.0.0', '1.0.0', '1.0.0']);
  });

  it('stops at the first process that does not start: the others serve, and the way back works', async () => {
    await addRelease(machine, '1.1.0');
    await output(`echo 'throw new Error("This release is broken.");' > ${RELEASES}/1.1.0/src/server.ts`);
    const { status, stdout, stderr } = await machine.run(upgrade);
    expect(status).toBe(1);
    expect(stdout.match(/Restarting \S+/g)).toEqual(['Restarting lead-pipeline-api@3001.service']);
    expect(stderr).toContain(`To go back: ${RELEASES}/1.0.0/deploy/systemd/use-release`);
    expect([
      await releaseOf(machine, 'lead-pipeline-api@3002'),
      await releaseOf(machine, 'lead-pipeline-worker'),
    ]).toEqual(['1.0.0', '1.0.0']);
    expect((await ready()).status).toBe(0);
    await output(back);
    expect([await current(), ...(await releases())]).toEqual(Array(4).fill('1.0.0'));
  });

  it('refuses a release elsewhere, a missing one, and a unit that somebody has edited', async () => {
    await output(`rm -rf /root/clone; cp -a ${RELEASES}/1.0.0 /root/clone; rm -rf ${RELEASES}/1.1.0`);
    const elsewhere = await machine.paste('/root/clone/deploy/systemd/use-release');
    expect([elsewhere.status, elsewhere.changes]).toEqual([1, []]);
    expect(elsewhere.stderr).toContain(`Put it into ${RELEASES}/clone.`);
    const missing = await machine.paste(upgrade);
    expect([missing.status, missing.changes]).toEqual([127, []]);
    const unit = '/etc/systemd/system/lead-pipeline-worker.service';
    await output(`echo '# mine' >> ${unit}`);
    const edited = await machine.paste(install);
    expect([edited.status, edited.changes]).toEqual([1, []]);
    expect(edited.stderr).toContain(`${unit} was changed.`);
    await output(`cp ${RELEASES}/1.0.0/deploy/systemd/lead-pipeline-worker.service ${unit}`);
  });
});
