import { createRequire } from 'node:module';

// Node loads TypeScript natively. Registering .ts keeps Knex's CLI from searching for a TypeScript loader, and from
// printing a line for each one that is not installed.
const require = createRequire(import.meta.url);
require.extensions['.ts'] ??= require.extensions['.js'];
require('knex/bin/cli.js');
