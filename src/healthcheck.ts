/** For containers: exits with 0 if the process with this configuration answers, whatever its database does, else with 1. */

import http from 'node:http';
import https from 'node:https';
import { loadConfig } from './config.ts';

/** Milliseconds. */
const TIMEOUT = 2_500;

const { role, host, port, tls, metrics } = loadConfig();
if (role !== 'worker') {
  check({ host, port, path: '/livez' }, tls ? https.get : http.get);
} else if (metrics !== undefined) {
  // A worker listens on no other port.
  check({ ...metrics, path: '/metrics' }, http.get);
}

/** A wildcard address includes this machine. The certificate has the service's public name. */
function check(target: { host: string; port: number; path: string }, get: typeof https.get): void {
  get({ ...target, timeout: TIMEOUT, rejectUnauthorized: false }, ({ statusCode }) =>
    process.exit(statusCode === 200 ? 0 : 1),
  )
    .on('timeout', () => process.exit(1))
    .on('error', () => process.exit(1));
}
