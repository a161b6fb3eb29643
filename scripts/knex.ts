import { createRequire } from 'node:module';

// Knex's command line first looks for a package that loads TypeScript, and prints a line for each that it
// doesn't find, unless someone has said that .ts files can be loaded. Node itself can.
const require = createRequire(import.meta.url);
require.extensions['.ts'] ??= require.extensions['.js'];
require('knex/bin/cli.js');
