/** A newcomer's folder: a clone of the project, whose files nothing that runs there may change. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { copyCluster } from './database.ts';
import { type Command, commandsOf, missingLines, readPage } from './markdown.ts';
import type { Shell } from './shell.ts';

const project = join(import.meta.dirname, '../..');
const cloned = [
  'package.json',
  'bin',
  'scripts',
  'src',
  'generated',
  'web',
  'openapi',
  'node_modules',
  'README.md',
  'CHANGELOG.md',
  'docs',
  'examples',
];

export class Newcomer {
  readonly folder = mkdtempSync(join(tmpdir(), 'newcomer-'));
  readonly home = mkdtempSync(join(tmpdir(), 'newcomer-home-'));
  /** What `npm start` has printed. */
  printed = '';
  private readonly receiverPort = freePort();
  port = 0;
  private service: ChildProcess | undefined;

  constructor() {
    for (const name of cloned) symlinkSync(join(project, name), join(this.folder, name));
  }

  /** For tests that aren't about the first start, which takes longer. */
  addDatabases(): void {
    mkdirSync(this.dataDir);
    copyCluster(this.dataDir);
  }

  /** New files in the folder. */
  get left(): string[] {
    return readdirSync(this.folder).filter((name) => !cloned.includes(name));
  }

  /** So that the files of a chapter that failed don't fail the next one too. */
  cleanUp(): void {
    for (const name of this.left.filter((one) => one !== '.data'))
      rmSync(join(this.folder, name), { recursive: true });
  }

  get dataDir(): string {
    return join(this.folder, '.data');
  }

  /** Resolves when the service has printed its addresses. Its limits allow a page to be run twice in a minute. */
  async start(env: Record<string, string> = {}): Promise<void> {
    this.port = await freePort();
    const limits = { RATE_LIMIT_TOKEN_CLIENT: '10000', RATE_LIMIT_TOKEN_IP: '10000' };
    const service = spawn('npm', ['start'], {
      cwd: this.folder,
      env: { ...process.env, PORT: String(this.port), ...limits, ...env },
      detached: true,
    });
    this.service = service;
    this.printed = '';
    service.stderr.resume();
    service.stdout.on('data', (chunk) => {
      this.printed += chunk;
    });
    while (!this.printed.includes('/docs\n')) {
      if (service.exitCode !== null) throw new Error(`The service ended: ${this.printed}`);
      await sleep(20);
    }
  }

  /** Ctrl-C, which reaches the whole process group. */
  async interrupt(): Promise<void> {
    const { service } = this;
    this.service = undefined;
    if (service?.pid === undefined || service.exitCode !== null) return;
    const exited = once(service, 'close');
    process.kill(-service.pid, 'SIGINT');
    await exited;
  }

  /** The text with the port of the service, instead of the default one. */
  protected onItsPort(text: string): string {
    return text.replaceAll(':3000', `:${this.port}`);
  }

  /** Pastes a block, and expects the output that the page promises. */
  async follow(shell: Shell, command: Command): Promise<void> {
    const receiver = String(await this.receiverPort);
    const { status, endsLine, output } = await shell.paste(
      this.onItsPort(command.text.replaceAll('4000', receiver)),
    );
    const told = () => output().replaceAll(`:${this.port}`, ':3000');
    // Background processes may print a moment later.
    await vi.waitFor(() => expect(missingLines(command, told()), told()).toEqual([]), 15_000);
    expect(status, `${command.text}\n${told()}`).toBe(0);
    expect(endsLine, `The prompt would stand behind this:\n${told()}`).toBe(true);
  }

  async leave(): Promise<void> {
    await this.interrupt();
    for (const path of [this.folder, this.home])
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The README's tour. Its first block sets the variables that the other pages use too. */
export const tour = commandsOf(readPage('README.md')).filter(({ section }) =>
  section.startsWith('A five-minute tour'),
);
