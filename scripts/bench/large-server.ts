/**
 * Runs the service with N unused paths added to its contract:
 *
 *   node scripts/bench/large-server.ts N
 */
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { type Operation, operations } from '../../generated/operations.ts';
import { readDocument } from '../../src/http/validation/document.ts';
import { loadConfig } from '../../src/process/config.ts';
import { createLogger } from '../../src/process/logger.ts';
import { startService } from '../../src/process/service.ts';

const document = await readDocument();
const larger: Record<string, Operation> = { ...operations };
for (let index = 0; index < Number(process.argv[2]); index += 1) {
  const path = `/unused-${index}/{id}`;
  const operationId = `getUnused${index}`;
  const model = document.paths?.['/leads/{id}'] as OpenAPIV3.PathItemObject;
  document.paths = {
    ...document.paths,
    [path]: { get: { ...model.get, operationId } as OpenAPIV3.OperationObject },
  };
  larger[operationId] = { ...operations.getLead, path };
}

const config = loadConfig();
const service = await startService(config, createLogger(config.logLevel), { document, operations: larger });
process.on('SIGTERM', async () => {
  await service.stop();
  process.exit();
});
