import { type Config, ConfigError } from '../config.ts';

/**
 * Throws ConfigError if clients are told an https:// address, but the process would serve plain HTTP and take its proxy for the
 * only client. Commands and workers don't listen, so they need no answer to that.
 */
export function checkPublicUrl({
  role,
  publicUrl,
  tls,
  trustProxy,
}: Pick<Config, 'role' | 'publicUrl' | 'tls' | 'trustProxy'>): void {
  const isHttps = publicUrl?.startsWith('https:');
  if (role === 'worker' || !isHttps || tls !== undefined || trustProxy !== undefined) return;
  throw new ConfigError(
    `PUBLIC_URL is "${publicUrl}", but this process would serve plain HTTP, and count all clients as one. If a proxy serves ` +
      'HTTPS in front of it, name the proxy in TRUST_PROXY. Otherwise set TLS_CERT_FILE and TLS_KEY_FILE.',
  );
}
