/** For containers: exit code 0 if the process of this configuration answers, whatever its database does, and 1 if not. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { loadConfig } from './process/config.ts';

/** Milliseconds. */
const TIMEOUT = 2_500;

const { role, host, port, tls } = loadConfig();
// A worker listens on no port.
if (role !== 'worker') {
  const get = tls ? getHttps : getHttp;
  // A wildcard address is this machine's. The certificate has the public name of the service.
  get({ host, port, path: '/livez', timeout: TIMEOUT, rejectUnauthorized: false }, ({ statusCode }) =>
    process.exit(statusCode === 200 ? 0 : 1),
  )
    .on('timeout', () => process.exit(1))
    .on('error', () => process.exit(1));
}
