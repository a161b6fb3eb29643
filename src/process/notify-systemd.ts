import { spawn } from 'node:child_process';
import type { Logger } from 'pino';

/** Tells systemd that the process is ready (`Type=notify`). Node can't send to a Unix datagram socket itself. */
export function notifySystemd(logger: Logger): void {
  spawn('systemd-notify', ['--ready'], { stdio: 'ignore' }).on('error', (error) =>
    logger.error({ err: error }, 'systemd was not told that the process is ready.'),
  );
}
