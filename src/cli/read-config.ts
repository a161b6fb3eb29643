import { type Config, loadConfig } from '../config.ts';

/** The configuration of a command. Its warnings go to stderr. */
export function readConfig(): Config {
  const config = loadConfig();
  for (const warning of config.warnings) process.stderr.write(`${warning}\n`);
  return config;
}
