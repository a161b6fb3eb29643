/**
 * Node's HTTP without undici. An `import` of `node:http` reads all that the module exports, and one of these, `WebSocket`,
 * loads undici: 14 MiB and 40 ms for each process.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
